package effects

import (
	"path"
	"path/filepath"
	"strings"
	"time"

	"overturn/model"
)

// Bounds of what is told.
const (
	MaxEffects = 32
	MaxSummary = 200
)

// Command is a shell command that a tool ran.
type Command struct {
	Text     string
	Root     string // of the work tree
	Cwd      string // where the command started, Root when ""
	Home     string // what ~ stands for, "" when unknown
	Detached bool   // it runs on after the tool returned
	Failed   bool
	At       time.Time
}

// Of lists the effects of a command, in order, each once.
func Of(c Command) []model.Effect {
	r := &reader{c: c, seen: map[string]bool{}}
	r.dir = c.Cwd
	if r.dir == "" {
		r.dir = c.Root
	}
	r.line(c.Text, 0)
	if c.Detached {
		r.add(verdict{domain: model.DomainProcesses, reversible: model.ReversibleYes,
			compensation: "stop the process if it still runs"}, "in the background: "+firstLine(c.Text))
	}
	return r.list
}

// Outside makes the effect of an edit tool's write to a file that lies outside
// the work tree.
func Outside(path string, at time.Time) model.Effect {
	return model.Effect{Domain: model.DomainOutside, Summary: clean("wrote " + path), Reversible: model.ReversibleUnknown,
		Compensation: "put the file back by hand", At: at}
}

// verdict is what a program's effect is; the zero verdict is none.
type verdict struct {
	domain       model.Domain
	reversible   model.Reversible
	compensation string
	bare         int // when not 0: only so many words are told, since later ones may be secrets
}

type reader struct {
	c    Command
	dir  string // where the shell stands, as far as plain cd tells
	list []model.Effect
	seen map[string]bool

	unknown []string // commands of which nothing is known
}

func (r *reader) line(text string, depth int) {
	for _, s := range split(text) {
		r.simple(s, depth)
	}
}

func (r *reader) simple(s simple, depth int) {
	r.outside(s.targets, "wrote ")
	program, args, texts, detached := unwrap(s.words)
	for _, t := range texts {
		if depth < maxDepth {
			r.line(t, depth+1)
		}
	}
	if program == "" {
		return
	}
	summary := program
	if len(args) > 0 {
		summary += " " + strings.Join(maskWords(program, args), " ")
	}
	if program == "cd" {
		r.cd(args)
	}
	told := len(r.seen)
	if s.background || detached {
		r.add(verdict{domain: model.DomainProcesses, reversible: model.ReversibleYes,
			compensation: "stop the process if it still runs"}, summary)
	}
	r.files(program, args)
	if v := classify(program, args); v.domain != "" {
		if v.bare > 0 {
			summary = strings.Join(append([]string{program}, plain(args, v.bare-1)...), " ")
		}
		r.add(v, summary)
		return
	}
	if len(r.seen) == told && (!ofSystem(s.words, args) || !local(program, args)) && !refrains(args) {
		r.noteUnknown(clean(summary))
	}
}

// ofSystem tells whether the program was named as those of the system and of package
// managers are: by its bare name, or by its path in a folder of programs. ./cat is a
// script of the project.
func ofSystem(words, args []string) bool {
	name := words[len(words)-len(args)-1]
	dir := path.Dir(name)
	return !strings.Contains(name, "/") || path.Base(dir) == "bin" || path.Base(dir) == "sbin" || strings.HasSuffix(dir, "node_modules/.bin")
}

// refrains tells a command that was asked to do nothing.
func refrains(args []string) bool { return hasFlag(args, "--dry-run") }

func (r *reader) noteUnknown(summary string) {
	if key := "\x00" + summary; !r.seen[key] && len(r.unknown) < MaxEffects {
		r.seen[key] = true
		r.unknown = append(r.unknown, summary)
	}
}

func (r *reader) add(v verdict, summary string) {
	summary = clean(summary)
	if r.c.Failed {
		summary += " (failed)"
	}
	key := string(v.domain) + "\x00" + summary
	if r.seen[key] || len(r.list) >= MaxEffects {
		return
	}
	r.seen[key] = true
	r.list = append(r.list, model.Effect{Domain: v.domain, Summary: summary, Reversible: v.reversible,
		Compensation: v.compensation, At: r.c.At})
}

// cd follows a plain change of folder; what it cannot follow leaves the folder as it is.
func (r *reader) cd(args []string) {
	if list := operands(args); len(list) == 1 {
		if p := r.absolute(list[0]); p != "" {
			r.dir = p
		}
	}
}

// absolute is where p leads from the shell's folder; "" when that cannot be told.
func (r *reader) absolute(p string) string {
	switch {
	case p == "" || strings.ContainsAny(p, "$`") || strings.Contains(p, "://"):
		return ""
	case p == "~" || strings.HasPrefix(p, "~/"):
		if r.c.Home == "" {
			return ""
		}
		return filepath.Join(r.c.Home, p[1:])
	case p[0] == '~':
		return ""
	case filepath.IsAbs(p):
		return filepath.Clean(p)
	case r.dir == "" || strings.Contains(strings.SplitN(p, "/", 2)[0], ":"):
		return "" // HOST:PATH of scp and rsync
	}
	return filepath.Join(r.dir, p)
}

func within(root, abs string) bool {
	rel, err := filepath.Rel(root, abs)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

func isDevice(abs string) bool {
	return strings.HasPrefix(abs, "/dev/") || strings.HasPrefix(abs, "/proc/self/")
}
