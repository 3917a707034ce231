//go:build linux || darwin

package machine_test

import (
	"os"
	"path/filepath"

	"overturn/model"
	"overturn/rollback"
)

// fingerprints changes what a few targets of the plan go out from, one thing at a
// time: a byte, the mode, the kind, or that they are staged at all. Each moves the
// fingerprint, and a rollback that expects the old one writes nothing; when all is as
// before, so is the fingerprint.
func (w *world) fingerprints(plan *model.Plan, p *rollback.Prepared) {
	w.t.Helper()
	if len(p.Targets) == 0 {
		return
	}
	for _, way := range []struct {
		name string
		turn func(rollback.PreparedTarget) func()
	}{{"byte", w.otherByte}, {"mode", w.otherMode}, {"kind", w.otherKind}, {"path", w.otherPaths}} {
		for first, n := w.Pick(len(p.Targets)), 0; n < len(p.Targets); n++ {
			if back := way.turn(p.Targets[(first+n)%len(p.Targets)]); back != nil {
				w.moves(plan)
				back()
				w.Counts()["fingerprint moved by a "+way.name]++
				break
			}
		}
	}
	if again, _ := w.plan(); again.Fingerprint != plan.Fingerprint {
		w.t.Errorf("all is as before, but for the fingerprint:\n%s\n%s", plan.Patch, again.Patch)
	}
}

// moves: what plan went out from is another by now.
func (w *world) moves(plan *model.Plan) {
	w.t.Helper()
	before := w.state()
	moved, _ := w.plan()
	if moved.Fingerprint == plan.Fingerprint {
		w.t.Errorf("the fingerprint stayed though the plan is another:\n%s", moved.Patch)
	}
	_, err := w.engine.Execute(w.t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint, Partial: true})
	if code := model.CodeOf(err); code != model.CodeStale && !(len(moved.Targets) == 0 && code == model.CodeUsage) {
		w.t.Errorf("a rollback of another plan: %v", err)
	}
	w.same("stale", w.state(), before, nil)
}

// otherByte changes one byte of what stands there, or makes a file where nothing does.
func (w *world) otherByte(t rollback.PreparedTarget) func() {
	name := w.Path(string(t.Path))
	switch {
	case t.From.Kind == model.KindAbsent:
		if info, err := os.Lstat(filepath.Dir(name)); err != nil || !info.IsDir() || os.WriteFile(name, []byte("new"), 0o644) != nil {
			return nil
		}
		return func() { w.must(os.Remove(name)) }
	case t.From.Kind != model.KindFile || t.From.SHA256 == "":
		return nil
	}
	data := append([]byte(nil), t.Before...)
	if len(data) == 0 {
		data = []byte{0}
	} else {
		data[w.Pick(len(data))] ^= 1 << w.Pick(8)
	}
	w.Write(string(t.Path), string(data))
	return func() { w.Write(string(t.Path), string(t.Before)) }
}

// otherMode changes one bit of the mode, of those that do not keep us from reading.
func (w *world) otherMode(t rollback.PreparedTarget) func() {
	if t.From.Kind != model.KindFile || t.From.SHA256 == "" {
		return nil
	}
	info, err := os.Lstat(w.Path(string(t.Path)))
	w.must(err)
	bits := []os.FileMode{0o001, 0o002, 0o004, 0o010, 0o020, 0o040, 0o100, 0o200}
	w.Chmod(string(t.Path), info.Mode().Perm()^bits[w.Pick(len(bits))])
	return func() { w.Chmod(string(t.Path), info.Mode().Perm()) }
}

// otherKind has a link stand where a file stood, with its bytes as text, or a file
// where a link stood.
func (w *world) otherKind(t rollback.PreparedTarget) func() {
	path, name := string(t.Path), w.Path(string(t.Path))
	switch {
	case t.From.Kind == model.KindLink:
		w.Remove(path)
		w.Write(path, string(t.Before))
		return func() { w.Remove(path); w.Symlink(string(t.Before), path) }
	case t.From.Kind != model.KindFile || t.From.SHA256 == "":
		return nil
	}
	aside := name + ".aside"
	w.must(os.Rename(name, aside))
	w.Symlink("elsewhere", path)
	return func() { w.Remove(path); w.must(os.Rename(aside, name)) }
}

// otherPaths takes the target, and what lies below, out of what is staged.
func (w *world) otherPaths(t rollback.PreparedTarget) func() {
	_, err := w.engine.Unstage(w.t.Context(), []model.Path{t.Path})
	w.must(err)
	return func() { w.stage() }
}
