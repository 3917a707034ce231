//go:build unix

package refs_test

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"

	"overturn/gitops/refs"
	"overturn/model"
)

// Refs of others are read, whatever lies among them, and never moved.
func TestOthers(t *testing.T) {
	r, s, id := three(t)
	r.Git("update-ref", "refs/t3/checkpoints/YQ/turn/0", id[0])
	r.Git("update-ref", "refs/t3/checkpoints/YQ/turn/1", id[1])
	r.Git("update-ref", "refs/t3x/checkpoints/YQ/turn/1", id[1])
	r.Git("update-ref", "refs/overturn/t3/a", id[0])
	r.Git("pack-refs", "--all", "--prune")
	r.Git("update-ref", "refs/t3/checkpoints/YQ/turn/1", id[2]) // loose over packed
	r.Git("update-ref", "refs/t3/checkpoints/Yg/turn/0", id[0])
	want := "refs/t3/checkpoints/YQ/turn/0=" + id[0] + " refs/t3/checkpoints/YQ/turn/1=" + id[2] + " refs/t3/checkpoints/Yg/turn/0=" + id[0]

	reftable := r.Open()
	reftable.RefStorage = "reftable"
	for what, store := range map[string]*refs.Store{"files": s, "by git": refs.New(reftable)} {
		for _, prefix := range []string{"refs/t3", "refs/t3/"} {
			list, broken, err := store.Others(context.Background(), prefix)
			if err != nil || len(broken) > 0 || spelt(list) != want {
				t.Errorf("%s, %s: %s, %v, %v\nwant %s", what, prefix, spelt(list), broken, err, want)
			}
		}
		if list, broken, err := store.Others(context.Background(), "refs/entire"); err != nil || len(list)+len(broken) > 0 {
			t.Errorf("%s: none are there: %v, %v, %v", what, list, broken, err)
		}
	}
	err := s.Apply(context.Background(), []refs.Update{{Name: "refs/t3/checkpoints/YQ/turn/0", Old: id[0], New: id[1]}})
	if model.CodeOf(err) != model.CodeRefused {
		t.Errorf("a ref of T3's is moved: %v", err)
	}
}

func spelt(list []refs.Ref) string {
	var words []string
	for _, ref := range list {
		words = append(words, ref.Name+"="+ref.OID)
	}
	return strings.Join(words, " ")
}

// What cannot be read is told and hides nothing else.
func TestOthersThatAreBroken(t *testing.T) {
	r, s, id := three(t)
	const at = ".git/refs/t3/checkpoints/YQ/turn/"
	r.Git("update-ref", "refs/t3/checkpoints/YQ/turn/0", id[0])
	r.Git("update-ref", "refs/t3/checkpoints/YQ/turn/1", id[1])
	r.Git("pack-refs", "--all", "--prune")
	r.Write(at+"1", "")
	r.Write(at+"2", "no id\n")
	r.Write(at+"3", "ref: refs/heads/main\n")
	r.Write(at+"4", strings.Repeat("x", 5000))
	r.Write(at+"5", id[2]+"\n")
	r.Write(at+"6.lock", id[2]+"\n")
	if err := syscall.Mkfifo(r.Path(at+"7"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, broken, err := s.Others(context.Background(), "refs/t3")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := spelt(list), "refs/t3/checkpoints/YQ/turn/0="+id[0]+" refs/t3/checkpoints/YQ/turn/5="+id[2]; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	var told []string
	for _, b := range broken {
		told = append(told, strings.TrimPrefix(b.Ref, "refs/t3/checkpoints/YQ/turn/")+": "+b.Reason)
	}
	want := "1: it is empty: its writer was cut short, or it is no ref\n2: it does not hold an object id\n3: it is a symbolic ref\n" +
		"4: it is empty: its writer was cut short, or it is no ref\n7: it cannot be read"
	if got := strings.Join(told, "\n"); got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
	for i := 1; i <= 4; i++ {
		r.Remove(at + string(rune('0'+i)))
	}
	r.Remove(at + "6.lock")
	r.Remove(at + "7")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := s.Others(ctx, "refs/t3"); !errors.Is(err, context.Canceled) {
		t.Errorf("it goes on though it was cancelled: %v", err)
	}
}
