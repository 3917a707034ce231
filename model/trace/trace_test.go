package trace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"overturn/model"
	"overturn/model/trace"
)

func clock() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 5, time.FixedZone("", 3600)) }

func TestLineIsThatOfTheContract(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deeper", "trace.jsonl")
	f := trace.NewFile(path, clock)
	f.Record(trace.Event{Event: trace.CheckpointDiff, Thread: "t1", Turn: 2, Paths: model.Paths{"a", "b\xff"}, Before: "x", After: "y",
		Additions: 3, Deletions: 1, GitStatus: " M a", Outcome: "complete"})
	data, err := os.ReadFile(path)
	if err != nil || f.Err() != nil {
		t.Fatal(err, f.Err())
	}
	want := `{"at":"2026-11-30T11:00:00.000000005Z","event":"checkpoint.diff","thread":"t1","turn":2,"paths":["a",{"path":"b` + "�" + `","path_b64":"Yv8="}],` +
		`"before":"x","after":"y","additions":3,"deletions":1,"git_status":" M a","outcome":"complete"}` + "\n"
	if string(data) != want {
		t.Errorf("got  %swant %s", data, want)
	}
	events, err := trace.Read(path)
	if err != nil || len(events) != 1 || events[0].Paths[1] != "b\xff" || events[0].Event != trace.CheckpointDiff {
		t.Errorf("%+v, %v", events, err)
	}
}

// One call takes several events; one that is no JSON keeps none of the others out.
func TestEventsOfOneCall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	f := trace.NewFile(path, clock)
	f.Record()
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was made for no event")
	}
	f.Record(trace.Event{Event: trace.TurnStarted}, trace.Event{Event: trace.FilePatch, Detail: map[string]any{"f": func() {}}},
		trace.Event{Event: trace.TurnEnded, Reason: "<&>"})
	if f.Err() == nil {
		t.Error("the failure is not kept")
	}
	events, err := trace.Read(path)
	if err != nil || len(events) != 2 || events[0].Event != trace.TurnStarted || events[1].Event != trace.TurnEnded || events[1].Reason != "<&>" {
		t.Errorf("%+v, %v", events, err)
	}
}

func TestNamesAreUnique(t *testing.T) {
	seen := map[trace.Name]bool{}
	for _, name := range trace.Names() {
		if seen[name] || !strings.Contains(string(name), ".") {
			t.Errorf("%q", name)
		}
		seen[name] = true
	}
	if len(seen) != 23 {
		t.Errorf("%d events", len(seen))
	}
}

func TestRecordingNeverFailsItsCaller(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f := trace.NewFile(filepath.Join(blocked, "trace"), clock)
	f.Record(trace.Event{Event: trace.TurnStarted})
	if f.Err() == nil {
		t.Error("the failure is not kept")
	}
	f = trace.NewFile(filepath.Join(t.TempDir(), "trace"), clock)
	f.Record(trace.Event{Event: trace.TurnStarted, Detail: map[string]any{"f": func() {}}})
	if f.Err() == nil {
		t.Error("an event that is no JSON was taken")
	}
	trace.Discard{}.Record(trace.Event{})
}

func TestBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	reason := strings.Repeat("x", 256<<10)
	f := trace.NewFile(path, clock)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			other := f
			if g%2 == 1 {
				other = trace.NewFile(path, clock) // as another process would
			}
			for i := range 15 {
				other.Record(trace.Event{Event: trace.AgentTold, Turn: i, Reason: reason})
			}
			if err := other.Err(); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v, %v", entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Size() > trace.SizeLimit+512<<10 {
			t.Errorf("%s is %d bytes, %v", e.Name(), info.Size(), err)
		}
	}
	events, err := trace.Read(path)
	if err != nil || len(events) < 15 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

func TestReadPassesOverWhatItCannotParse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	if events, err := trace.Read(path); events != nil || err != nil {
		t.Errorf("absent: %v, %v", events, err)
	}
	if err := os.WriteFile(path, []byte("x\n{\"event\":\"turn.ended\",\"turn\":1}\n\n{}\n{\"event\":\"turn.sta"), 0o600); err != nil {
		t.Fatal(err)
	}
	if events, err := trace.Read(path); len(events) != 1 || err != nil {
		t.Errorf("%v, %v", events, err)
	}
}

func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	f := trace.NewFile(path, clock)
	f.Record(trace.Event{Event: trace.TurnStarted, Reason: "before"})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	got, done := make(chan string, 100), make(chan error, 1)
	go func() {
		done <- trace.Follow(ctx, path, func(e trace.Event) error {
			got <- e.Reason
			return nil
		})
	}()
	time.Sleep(3 * 100 * time.Millisecond) // it has gone to the end by now
	for i := range 3 {
		f.Record(trace.Event{Event: trace.TurnEnded, Reason: fmt.Sprint(i)})
		if i == 1 {
			if err := os.Rename(path, path+".1"); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 3 {
		select {
		case reason := <-got:
			if reason != fmt.Sprint(i) {
				t.Errorf("got %q, want %d", reason, i)
			}
		case <-ctx.Done():
			t.Fatal("nothing came")
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	stop := errors.New("stop")
	go func() {
		time.Sleep(300 * time.Millisecond)
		f.Record(trace.Event{Event: trace.TurnEnded})
	}()
	if err := trace.Follow(context.Background(), path, func(trace.Event) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"event":"turn.ended","paths":["a",{"path":"b","path_b64":"Yv8="}]}` + "\n"))
	f.Add([]byte("\n\x00{\"event\":1}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "trace")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Read(path); err != nil {
			t.Fatal(err)
		}
	})
}
