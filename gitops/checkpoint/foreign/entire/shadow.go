package entire

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// Step is a state of the work tree that the Entire CLI kept while a session ran, on a
// shadow branch: it goes when a checkpoint is made of it.
type Step struct {
	Session      string
	Ref          string // of the branch
	Commit, Tree string
	At           time.Time
	Prompt       string // that was asked last, "" where it is not told

	// What was there before: the step before it on the branch, whichever session made it,
	// else the commit of the project that the branch is named for; "" where that is not
	// here.
	Before, BeforeTree string
	BeforeAt           time.Time
}

// Metadata is the folder in the tree of a step that is the Entire CLI's own.
const Metadata model.Path = ".entire/metadata"

const (
	shadowRoot   = "refs/heads/entire/"
	sessionKey   = "Entire-Session"
	mostSteps    = 1000 // of one branch
	leastBase    = 7    // digits of the commit in the name of a branch
	workTreeSize = 6    // digits that stand for a linked work tree, behind a dash
)

// shadowBase is the beginning of the id of the commit that a shadow branch is named for;
// false for another ref.
func shadowBase(name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, shadowRoot)
	base, tree, linked := strings.Cut(rest, "-")
	digits := func(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
	return base, ok && len(base) >= leastBase && digits(base) && (!linked || len(tree) == workTreeSize && digits(tree))
}

// Steps lists the steps of all shadow branches, those of one branch oldest first.
func (r *Reader) Steps(ctx context.Context) ([]Step, []model.RefNote, error) {
	heads, broken, err := r.refs.Others(ctx, shadowRoot)
	if err != nil {
		return nil, nil, err
	}
	var list []Step
	odd := slices.DeleteFunc(broken, func(n model.RefNote) bool { _, ok := shadowBase(n.Ref); return !ok })
	for _, head := range heads {
		base, ok := shadowBase(head.Name)
		if !ok {
			continue
		}
		steps, err := r.steps(ctx, head, base)
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if err != nil {
			odd = append(odd, model.RefNote{Ref: head.Name, Reason: err.Error()})
		}
		list = append(list, steps...)
	}
	return list, odd, nil
}

// steps goes back from the tip of a branch to the first commit that no session made.
func (r *Reader) steps(ctx context.Context, head refs.Ref, base string) ([]Step, error) {
	var list []Step // newest first
	last := func(oid string, c *objects.Commit) {
		if n := len(list); n > 0 {
			list[n-1].Before, list[n-1].BeforeTree, list[n-1].BeforeAt = oid, c.Tree, sane(c.Committer.When)
		}
	}
	oid := head.OID
	for len(list) < mostSteps {
		c, err := r.objects.Commit(ctx, oid)
		if err != nil {
			return reversed(list), model.Failf(err, "%s is no commit that can be read", oid)
		}
		last(oid, &c)
		session := trailers(c.Message, sessionKey)
		if len(session) == 0 {
			return reversed(list), nil
		}
		s := Step{Session: session[0], Ref: head.Name, Commit: oid, Tree: c.Tree, At: sane(c.Author.When)}
		s.Prompt = r.asked(ctx, c.Tree, s.Session)
		list = append(list, s)
		if len(c.Parents) == 0 {
			if found, c, err := r.named(ctx, base); err == nil {
				last(found, &c)
			}
			break
		}
		oid = c.Parents[0]
	}
	return reversed(list), nil
}

func reversed(list []Step) []Step {
	slices.Reverse(list)
	return list
}

// InWorkTree tells whether the branch of a step is named for a work tree: by the hash of
// its internal name, which is empty for the main one. Branches of old versions are named
// for none.
func (s *Step) InWorkTree(name string) bool {
	_, mark, ok := strings.Cut(strings.TrimPrefix(s.Ref, shadowRoot), "-")
	if name == gitops.MainWorkTree {
		name = ""
	}
	sum := sha256.Sum256([]byte(name))
	return ok && mark == hex.EncodeToString(sum[:])[:workTreeSize]
}

// named finds the commit whose id begins so: git knows all of them.
func (r *Reader) named(ctx context.Context, base string) (string, objects.Commit, error) {
	out, err := r.repo.Git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", base+"^{commit}")
	if err != nil {
		return "", objects.Commit{}, err
	}
	oid := strings.TrimSpace(string(out))
	c, err := r.objects.Commit(ctx, oid)
	return oid, c, err
}

// asked is the last of the prompts that stand in a step.
func (r *Reader) asked(ctx context.Context, tree, session string) string {
	at, err := model.ParsePath(string(Metadata) + "/" + session + "/prompt.txt")
	if err != nil || !at.Under(Metadata) {
		return ""
	}
	e, ok, err := r.objects.Lookup(ctx, tree, at)
	if err != nil || !ok || e.IsTree() {
		return ""
	}
	data, _ := r.blob(ctx, []objects.TreeEntry{{Name: "prompt.txt", OID: e.OID}}, "prompt.txt", mostPrompt)
	prompts := strings.Split(string(data), "\n\n---\n\n")
	return shorten(strings.TrimSpace(prompts[len(prompts)-1]), keptPrompt)
}
