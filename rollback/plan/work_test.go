package plan

import (
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/patch"
)

func file(mode, content string) Version { return New(model.KindFile, "100"+mode, []byte(content)) }

func link(text string) Version { return New(model.KindLink, "120000", []byte(text)) }

func other() Version {
	return Version{State: model.FileState{Kind: model.KindOther, Mode: "040755"}}
}

func submodule() Version {
	return Version{State: model.FileState{Kind: model.KindGitlink, Mode: "160000"}}
}

// TestWork is the table of what becomes of a whole path. now "=" is the present as
// the scope left it.
func TestWork(t *testing.T) {
	same := Version{State: model.FileState{Kind: "="}}
	abc, aBc := file("644", "a\nb\nc\n"), file("644", "a\nB\nc\n")
	bin, bin2, bin3 := file("644", "\x001"), file("644", "\x002"), file("644", "\x003")
	for _, c := range []struct {
		name             string
		first, last, now Version
		method           model.Method
		discard          bool
		verdict          model.Verdict
		op               model.Op
		after            Version
	}{
		{"edit", abc, aBc, same, model.TakeOut, false, model.VerdictClean, model.OpWrite, abc},
		{"edit, back already", abc, aBc, abc, model.TakeOut, false, model.VerdictAlready, model.OpWrite, abc},
		{"later edit elsewhere", abc, aBc, file("644", "a\nB\nc\n\nd\n"), model.TakeOut, false, model.VerdictMerged, model.OpWrite, file("644", "a\nb\nc\n\nd\n")},
		{"later edit on the spot", abc, aBc, file("644", "a\nX\nc\n"), model.TakeOut, false, model.VerdictConflict, model.OpWrite, file("644", "a\nX\nc\n")},
		{"taken back by hand, and more", abc, aBc, file("644", "a\nb\nc\nd\n"), model.TakeOut, false, model.VerdictAlready, model.OpWrite, file("644", "a\nb\nc\nd\n")},
		{"deleted since", abc, aBc, Absent(), model.TakeOut, false, model.VerdictConflict, model.OpWrite, Absent()},
		{"a folder now", abc, aBc, other(), model.TakeOut, false, model.VerdictConflict, model.OpWrite, other()},
		{"a folder now, restore", abc, aBc, other(), model.Restore, true, model.VerdictConflict, model.OpWrite, other()},
		{"a link now", abc, aBc, link("x"), model.TakeOut, false, model.VerdictConflict, model.OpWrite, link("x")},

		{"created", Absent(), abc, same, model.TakeOut, false, model.VerdictClean, model.OpDelete, Absent()},
		{"created, gone already", Absent(), abc, Absent(), model.TakeOut, false, model.VerdictAlready, model.OpDelete, Absent()},
		{"created, edited since", Absent(), abc, aBc, model.TakeOut, false, model.VerdictConflict, model.OpDelete, aBc},
		{"created, mode changed since", Absent(), abc, file("755", "a\nb\nc\n"), model.TakeOut, false, model.VerdictConflict, model.OpDelete, file("755", "a\nb\nc\n")},
		{"created, edited since, restore", Absent(), abc, aBc, model.Restore, false, model.VerdictConflict, model.OpDelete, aBc},
		{"created, edited since, discard", Absent(), abc, aBc, model.Restore, true, model.VerdictDrifted, model.OpDelete, Absent()},
		{"created empty", Absent(), file("644", ""), same, model.TakeOut, false, model.VerdictClean, model.OpDelete, Absent()},

		{"deleted", abc, Absent(), same, model.TakeOut, false, model.VerdictClean, model.OpCreate, abc},
		{"deleted, back already", abc, Absent(), abc, model.TakeOut, false, model.VerdictAlready, model.OpCreate, abc},
		{"deleted, made anew since", abc, Absent(), aBc, model.TakeOut, false, model.VerdictConflict, model.OpCreate, aBc},
		{"deleted, back with another mode", abc, Absent(), file("755", "a\nb\nc\n"), model.TakeOut, false, model.VerdictAlready, model.OpCreate, file("755", "a\nb\nc\n")},
		{"deleted, back with another mode, restore", abc, Absent(), file("755", "a\nb\nc\n"), model.Restore, false, model.VerdictConflict, model.OpCreate, file("755", "a\nb\nc\n")},
		{"deleted, back with another mode, discard", abc, Absent(), file("755", "a\nb\nc\n"), model.Restore, true, model.VerdictDrifted, model.OpMode, abc},
		{"deleted, made anew since, discard", abc, Absent(), aBc, model.Restore, true, model.VerdictDrifted, model.OpWrite, abc},

		{"binary", bin, bin2, same, model.TakeOut, false, model.VerdictClean, model.OpWrite, bin},
		{"binary, edited since", bin, bin2, bin3, model.TakeOut, false, model.VerdictConflict, model.OpWrite, bin3},
		{"binary, edited since, discard", bin, bin2, bin3, model.Restore, true, model.VerdictDrifted, model.OpWrite, bin},
		{"binary, chmod since", bin, bin2, file("755", "\x002"), model.TakeOut, false, model.VerdictMerged, model.OpWrite, file("755", "\x001")},

		{"mode", abc, file("755", "a\nb\nc\n"), same, model.TakeOut, false, model.VerdictClean, model.OpMode, abc},
		{"mode, edited since", abc, file("755", "a\nb\nc\n"), file("755", "a\nB\nc\n"), model.TakeOut, false, model.VerdictMerged, model.OpMode, aBc},
		{"mode and content, chmod since", abc, file("755", "a\nB\nc\n"), file("700", "a\nB\nc\n"), model.TakeOut, false, model.VerdictConflict, model.OpWrite, file("700", "a\nB\nc\n")},
		{"edit, chmod since", abc, aBc, file("600", "a\nB\nc\n"), model.TakeOut, false, model.VerdictMerged, model.OpWrite, file("600", "a\nb\nc\n")},
		{"edit, chmod since, restore", abc, aBc, file("600", "a\nB\nc\n"), model.Restore, false, model.VerdictConflict, model.OpWrite, file("600", "a\nB\nc\n")},
		{"edit, chmod since, discard", abc, aBc, file("600", "a\nB\nc\n"), model.Restore, true, model.VerdictDrifted, model.OpWrite, abc},

		{"link", link("a"), link("b"), same, model.TakeOut, false, model.VerdictClean, model.OpLink, link("a")},
		{"link, retargeted since", link("a"), link("b"), link("c"), model.TakeOut, false, model.VerdictConflict, model.OpLink, link("c")},
		{"file to link", abc, link("b"), same, model.TakeOut, false, model.VerdictClean, model.OpWrite, abc},
		{"file to link, a file again with another mode", abc, link("b"), file("600", "a\nb\nc\n"), model.TakeOut, false, model.VerdictAlready, model.OpWrite, file("600", "a\nb\nc\n")},
		{"link to file", link("b"), abc, same, model.TakeOut, false, model.VerdictClean, model.OpLink, link("b")},
		{"link to file, edited since", link("b"), abc, aBc, model.TakeOut, false, model.VerdictConflict, model.OpLink, aBc},

		{"submodule", submodule(), submodule(), other(), model.Restore, true, model.VerdictConflict, model.OpWrite, other()},
		{"submodule gone", submodule(), Absent(), Absent(), model.TakeOut, false, model.VerdictConflict, model.OpWrite, Absent()},
	} {
		if c.now.State.Kind == "=" {
			c.now = c.last
		}
		o := Work(Item{Path: "x", Method: c.method, Discard: c.discard, First: c.first, Last: c.last, Present: c.now, Chosen: Chosen{Whole: true}})
		if o.Verdict != c.verdict || o.After.State != c.after.State || o.Op != c.op && c.op != "" && !strings.HasPrefix(c.name, "submodule gone") {
			t.Errorf("%s: %s %s %q, after %+v %q", c.name, o.Verdict, o.Op, o.Reason, o.After.State, o.After.Content)
		}
		if (o.Verdict == model.VerdictConflict || o.Verdict == model.VerdictDrifted) != (o.Reason != "") {
			t.Errorf("%s: %s for the reason %q", c.name, o.Verdict, o.Reason)
		}
		if string(o.After.Content) != string(c.after.Content) {
			t.Errorf("%s: leaves %q, want %q", c.name, o.After.Content, c.after.Content)
		}
	}
}

func TestObstacle(t *testing.T) {
	v := file("644", "a\n")
	o := Work(Item{Method: model.Restore, Discard: true, First: Absent(), Last: v, Present: v, Chosen: Chosen{Whole: true}, Obstacle: "a link stands in the way"})
	if o.Verdict != model.VerdictConflict || o.Reason != "a link stands in the way" || o.After.State != v.State {
		t.Errorf("%+v", o)
	}
}

// TestParts takes hunks, lines and the mode back one by one.
func TestParts(t *testing.T) {
	const first = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	last := "A\n2\n3\n4\n5\n6\n7\n8\n9\nB\n"
	d := patch.Compare([]byte(first), []byte(last), patch.Options{})
	hunk := func(n int) patch.Selection {
		sel, missing := d.SelectHunks([]int{n})
		if missing != 0 {
			t.Fatal(missing)
		}
		return sel
	}
	for _, c := range []struct {
		name    string
		chosen  Chosen
		now     string
		mode    string
		verdict model.Verdict
		want    string
		wantMod string
	}{
		{"first hunk", Chosen{Lines: hunk(1)}, last, "755", model.VerdictClean, "1\n2\n3\n4\n5\n6\n7\n8\n9\nB\n", "755"},
		{"second hunk", Chosen{Lines: hunk(2)}, last, "755", model.VerdictClean, "A\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "755"},
		{"mode alone", Chosen{Mode: true}, last, "755", model.VerdictClean, last, "644"},
		{"hunk and mode", Chosen{Lines: hunk(1), Mode: true}, last, "755", model.VerdictClean, "1\n2\n3\n4\n5\n6\n7\n8\n9\nB\n", "644"},
		{"first hunk, later edit far away", Chosen{Lines: hunk(1)}, strings.Replace(last, "5", "five", 1), "755", model.VerdictMerged, "1\n2\n3\n4\nfive\n6\n7\n8\n9\nB\n", "755"},
		{"first hunk, later edit in it", Chosen{Lines: hunk(1)}, strings.Replace(last, "A", "AA", 1), "755", model.VerdictConflict, strings.Replace(last, "A", "AA", 1), "755"},
		{"second hunk, later edit in the first", Chosen{Lines: hunk(2)}, strings.Replace(last, "A", "AA", 1), "755", model.VerdictMerged, "AA\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "755"},
		{"first hunk, back already", Chosen{Lines: hunk(1)}, strings.Replace(last, "A", "1", 1), "755", model.VerdictAlready, strings.Replace(last, "A", "1", 1), "755"},
	} {
		o := Work(Item{Method: model.TakeOut, First: file("644", first), Last: file("755", last), Present: file(c.mode, c.now), Chosen: c.chosen})
		if o.Verdict != c.verdict || string(o.After.Content) != c.want || o.After.State.Mode != "100"+c.wantMod {
			t.Errorf("%s: %s %q, after %s %q", c.name, o.Verdict, o.Reason, o.After.State.Mode, o.After.Content)
		}
	}
}

// TestLaterEditsSurvive: whatever is taken out, every line that was written after
// the scope is still there, or nothing is done.
func TestLaterEditsSurvive(t *testing.T) {
	carried := 0
	for seed := range 2000 {
		r := rand.New(rand.NewSource(int64(seed)))
		lines := make([]string, 5+r.Intn(40))
		for i := range lines {
			lines[i] = strconv.Itoa(i)
		}
		edit := func(in []string, mark string) []string {
			out := append([]string(nil), in...)
			for n := r.Intn(4); n >= 0 && len(out) > 0; n-- {
				switch at := r.Intn(len(out)); r.Intn(3) {
				case 0:
					out[at] = mark + strconv.Itoa(n)
				case 1:
					out = append(out[:at:at], append([]string{mark + strconv.Itoa(n)}, out[at:]...)...)
				default:
					out = append(out[:at:at], out[at+1:]...)
				}
			}
			return out
		}
		text := func(l []string) string { return strings.Join(l, "\n") + "\n" }
		last := edit(lines, "agent ")
		now := edit(last, "user ")
		i := Item{Method: model.TakeOut, First: file("644", text(lines)), Last: file("644", text(last)), Present: file("644", text(now)), Chosen: Chosen{Whole: true}}
		o := Work(i)
		if o.Verdict == model.VerdictConflict {
			continue
		}
		carried++
		for _, line := range now {
			if strings.HasPrefix(line, "user ") && !strings.Contains("\n"+string(o.After.Content), "\n"+line+"\n") {
				t.Fatalf("seed %d: %q is lost\nfirst %q\nlast %q\nnow %q\nafter %q", seed, line, lines, last, now, o.After.Content)
			}
		}
		for _, line := range strings.Split(string(o.After.Content), "\n") {
			if strings.HasPrefix(line, "agent ") {
				t.Fatalf("seed %d: %q is still there", seed, line)
			}
		}
		i.Present = o.After
		if again := Work(i); again.Verdict != model.VerdictAlready && again.Verdict != model.VerdictConflict {
			t.Fatalf("seed %d: taken out twice: %s\nfirst %q\nlast %q\nnow %q\nthen %q", seed, again.Verdict, lines, last, o.After.Content, again.After.Content)
		}
	}
	if carried < 200 {
		t.Errorf("only %d of 2000 were carried out: the edits prove nothing", carried)
	}
}

func TestBlobID(t *testing.T) {
	// printf 'hello\n' | git hash-object --stdin, in repositories of both formats
	v := file("644", "hello\n")
	if got := BlobID("sha1", v); got != "ce013625030ba8dba906f756967f9e9ca394464a" {
		t.Error(got)
	}
	if got := BlobID("sha256", v); got != "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4" {
		t.Error(got)
	}
	if got := BlobID("sha1", Absent()); got != "" {
		t.Error(got)
	}
}
