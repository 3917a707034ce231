package t3

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"overturn/gitops/checkpoint/foreign/sqlite"
	"overturn/model"
)

// Known is what T3 Code's database says of a thread.
type Known struct {
	Title string
	Dir   string // where it worked, "" where that is not said
}

// database is one of T3 Code's files.
type database struct {
	path    string
	written time.Time // with its log
}

// databases lists those that are there, the one written last behind: a second T3 Code
// copies the file of the first and leaves it behind.
func databases(home string) []database {
	var list []database
	for _, folder := range []string{"dev", "userdata"} {
		for _, name := range []string{"state.sqlite", "statev2.sqlite"} {
			d := database{path: filepath.Join(home, folder, name)}
			info, err := os.Stat(d.path)
			if err != nil {
				continue
			}
			d.written = info.ModTime()
			if log, err := os.Stat(d.path + "-wal"); err == nil && log.ModTime().After(d.written) {
				d.written = log.ModTime()
			}
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b database) int { return a.written.Compare(b.written) })
	return list
}

// Known reads what T3 Code's databases say of threads. The titles are somebody's words
// and private. Where nothing is said, threads do without, and a note tells why.
func (r *Reader) Known(ctx context.Context, threads []*Thread) (map[model.ThreadID]Known, []model.RefNote) {
	wanted := map[string]model.ThreadID{}
	for _, t := range threads {
		wanted[t.Segment] = t.ID
	}
	if r.home == "" {
		return nil, []model.RefNote{{Ref: Root, Reason: "titles are not known: there is no home folder to look for T3 Code's database in"}}
	}
	list := databases(r.home)
	if len(list) == 0 {
		return nil, []model.RefNote{{Ref: Root, Reason: "titles are not known: there is no database of T3 Code's below " + r.home}}
	}
	all := map[model.ThreadID]Known{}
	var notes []model.RefNote
	for _, d := range list {
		said, err := r.cached(ctx, d)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
			notes = append(notes, model.RefNote{Ref: Root, Reason: "titles may be missing: " + d.path + ": " + err.Error()})
		}
		for segment, known := range said {
			if id, ok := wanted[segment]; ok {
				all[id] = known
			}
		}
	}
	return all, notes
}

// said is what one database says, by the segment that stands for a thread in refs.
type said map[string]Known

// readDB is what a database said as it was written last.
type readDB struct {
	of   database
	said said
}

// cached reads a database that was written since it was read last.
func (r *Reader) cached(ctx context.Context, d database) (said, error) {
	r.commits.mu.Lock()
	kept := r.databases[d.path]
	r.commits.mu.Unlock()
	if kept.of == d {
		return kept.said, nil
	}
	found, err := readDatabase(ctx, d.path)
	if err == nil {
		r.commits.mu.Lock()
		defer r.commits.mu.Unlock()
		if r.databases == nil {
			r.databases = map[string]readDB{}
		}
		r.databases[d.path] = readDB{d, found}
	}
	return found, err
}

// tries is how often a database is read that is written meanwhile.
const tries = 3

var errBusy = errors.New("T3 Code was writing it whenever it was read")

func readDatabase(ctx context.Context, path string) (said, error) {
	for range tries {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		found, changed, err := readOnce(path)
		if !changed {
			return found, err
		}
	}
	return nil, errBusy
}

func readOnce(path string) (found said, changed bool, err error) {
	db, err := sqlite.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer db.Close()
	found = said{}
	err = errors.Join(first(db, found), second(db, found))
	return found, db.Changed(), err
}

// first reads the tables of the first generation: a thread worked in its own work tree,
// else in its project's folder.
func first(db *sqlite.DB, found said) error {
	roots := map[string]string{}
	err := db.Rows("projection_projects", []string{"project_id", "workspace_root"}, func(v []string) bool {
		roots[v[0]] = v[1]
		return true
	})
	return errors.Join(err, db.Rows("projection_threads", []string{"thread_id", "title", "worktree_path", "project_id"}, func(v []string) bool {
		k := Known{Title: titled(v[1]), Dir: v[2]}
		if k.Dir == "" {
			k.Dir = roots[v[3]]
		}
		found[base64.RawURLEncoding.EncodeToString([]byte(v[0]))] = k
		return true
	}))
}

// second reads those of the second: refs name a scope, by a hash of its id, and the scope
// says where it worked. A thread whose scope is not there has the one that it always has.
func second(db *sqlite.DB, found said) error {
	threads := map[string]Known{}
	err := db.Rows("orchestration_v2_projection_threads", []string{"thread_id", "title", "payload_json"}, func(v []string) bool {
		k := Known{Title: titled(v[1]), Dir: field(v[2], "worktreePath")}
		threads[v[0]] = k
		found[segmentOf("checkpoint-scope:thread:"+escaped(v[0])+":name:root")] = k
		return true
	})
	return errors.Join(err, db.Rows("orchestration_v2_projection_checkpoint_scopes", []string{"scope_id", "thread_id", "payload_json"}, func(v []string) bool {
		k := threads[v[1]]
		if cwd := field(v[2], "cwd"); cwd != "" {
			k.Dir = cwd
		}
		found[segmentOf(v[0])] = k
		return true
	}))
}

// segmentOf stands for a scope in refs: base64url of half of the hex digits of its hash.
func segmentOf(scope string) string {
	const digits = 32
	return base64.RawURLEncoding.EncodeToString([]byte(digest(scope)[:digits]))
}

// field is a text in a JSON object, "" where there is none.
func field(payload, name string) string {
	var fields map[string]json.RawMessage
	var s string
	if json.Unmarshal([]byte(payload), &fields) != nil || json.Unmarshal(fields[name], &s) != nil {
		return ""
	}
	return s
}

// escaped is JavaScript's encodeURIComponent.
func escaped(s string) string {
	const plain = "-_.!~*'()"
	var out strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(plain, c) >= 0 {
			out.WriteByte(c)
			continue
		}
		out.WriteByte('%')
		out.WriteString(strings.ToUpper(hex.EncodeToString([]byte{c})))
	}
	return out.String()
}

// titled is a title that is no longer than a line may be.
func titled(s string) string {
	const most = 200
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "\uFFFD")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
