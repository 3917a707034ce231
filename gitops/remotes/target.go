package remotes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"overturn/gitops/remotes/queue"
	"overturn/model"
)

// Target is a remote as git resolves it.
type Target struct {
	Name  string // of the remote, or the address where it has no name
	Key   string // of the address that is pushed to, rewriting of addresses included
	Where string // that address for people, without who logs in
}

// Label is the target for people: its name, or its address without a password.
func (t Target) Label() string {
	if !strings.Contains(t.Name, "://") {
		return t.Name
	}
	return bare(t.Name)
}

// Target resolves the name or address of a remote (CodeUsage for one that git does
// not know). The network is not asked.
func (e *Engine) Target(ctx context.Context, name string) (Target, error) {
	names, err := e.names(ctx)
	if err != nil {
		return Target{}, err
	}
	if !slices.Contains(names, name) {
		if name == "" || strings.HasPrefix(name, "-") || !strings.ContainsAny(name, "/:\\") {
			return Target{}, model.Usagef("there is no remote %q", name).WithHint("%s", known(names))
		}
		out, err := e.Repo.Git(ctx, "ls-remote", "--get-url", "--", name)
		if err != nil {
			return Target{}, model.Failf(err, "cannot resolve the address %s", bare(name))
		}
		return targetOf(name, string(out)), nil
	}
	out, err := e.Repo.Git(ctx, "remote", "get-url", "--push", "--all", "--", name)
	if err != nil {
		return Target{}, model.Failf(err, "cannot tell the address of remote %q", name).WithHint("see git remote -v")
	}
	return targetOf(name, string(out)), nil
}

func targetOf(name, addresses string) Target {
	places := strings.Split(strings.TrimSuffix(addresses, "\n"), "\n")
	shown := make([]string, len(places))
	for i, address := range places {
		places[i], shown[i] = place(address), bare(address)
	}
	return Target{name, keyOf(places), strings.Join(shown, ", ")}
}

func known(names []string) string {
	if len(names) == 0 {
		return "the repository has no remote: git remote add NAME ADDRESS makes one"
	}
	return "the remotes are: " + strings.Join(names, ", ")
}

// names lists the repository's remotes.
func (e *Engine) names(ctx context.Context) ([]string, error) {
	out, err := e.Repo.Git(ctx, "remote")
	if err != nil {
		return nil, model.Failf(err, "cannot list the remotes")
	}
	return strings.Fields(string(out)), nil
}

// Candidates are the remotes that records are looked for at: the one of the settings
// alone, where it is set; else the current branch's, origin, and those in use, or the
// only one there is.
func (e *Engine) Candidates(ctx context.Context) ([]Target, error) {
	if e.Remote != "" {
		t, err := e.Target(ctx, e.Remote)
		if err == nil {
			err = e.mayAsk(ctx, t)
		}
		if err != nil {
			return nil, model.Failf(err, "the setting checkpoints.remote cannot be followed")
		}
		return []Target{t}, nil
	}
	names, err := e.names(ctx)
	if err != nil {
		return nil, err
	}
	wanted := append(e.branchRemotes(ctx), "origin")
	used, err := e.Queue.Remotes()
	if err != nil {
		return nil, err
	}
	for _, r := range used {
		wanted = append(wanted, r.Name)
	}
	if len(names) == 1 {
		wanted = append(wanted, names[0])
	}
	var list []Target
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			continue
		}
		t, err := e.Target(ctx, name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(list, func(o Target) bool { return o.Name == t.Name || o.Key == t.Key }) {
			list = append(list, t)
		}
	}
	return list, nil
}

// mayAsk refuses an address that the repository's own files propose and that the user
// never named: to speak with it is to run what lies there, or to say that we are here.
func (e *Engine) mayAsk(ctx context.Context, t Target) error {
	if !e.Offered {
		return nil
	}
	names, err := e.names(ctx)
	if err != nil || slices.Contains(names, t.Name) {
		return err
	}
	approved, err := e.Queue.Approved(t.Key)
	if err == nil && !approved {
		err = model.Refusedf("it is the address %s, from a file that may have come with this repository", t.Label()).
			WithHint("where you want it, name it yourself: overturn sync push %s", t.Label())
	}
	return err
}

// Usual are the remotes to push to when none is named: the one of the settings, else
// all in use, else the first candidate. There may be none at all: CodeUsage.
func (e *Engine) Usual(ctx context.Context) ([]Target, error) {
	list, err := e.Candidates(ctx)
	if err != nil || e.Remote != "" {
		return list, err
	}
	if len(list) == 0 {
		names, err := e.names(ctx)
		if err == nil {
			err = model.Usagef("nothing says which remote records go to").WithHint("name one; %s", known(names))
		}
		return nil, err
	}
	used, err := e.Queue.Remotes()
	if err != nil {
		return nil, err
	}
	inUse := slices.DeleteFunc(slices.Clone(list), func(t Target) bool {
		return !slices.ContainsFunc(used, func(r queue.Remote) bool { return r.Key == t.Key })
	})
	if len(inUse) > 0 {
		return inUse, nil
	}
	return list[:1], nil
}

// branchRemotes are the remotes of the current branch, that for pushes first.
func (e *Engine) branchRemotes(ctx context.Context) []string {
	var list []string
	head, err := e.Repo.Head(ctx)
	if err != nil {
		return nil // no HEAD to follow: the other candidates remain
	}
	branch := strings.TrimPrefix(head.Branch, "refs/heads/")
	for _, key := range []string{"branch." + branch + ".pushremote", "remote.pushdefault", "branch." + branch + ".remote"} {
		if name, ok := e.Repo.Config(key); ok {
			list = append(list, name)
		}
	}
	return list
}

// keyOf is what a remote is known by: a digest, since even so an address may tell
// more than others should read. Who logs in is no part of it: that changes, and the
// place does not.
func keyOf(addresses []string) string {
	sum := sha256.Sum256([]byte(strings.Join(addresses, "\n")))
	return hex.EncodeToString(sum[:8])
}

// place is an address without who logs in, where it is a URL: also where it is spelt as
// no URL may be, and git takes it all the same.
func place(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	host := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		host = rest[:end]
	}
	return scheme + "://" + rest[strings.LastIndexByte(host, '@')+1:]
}

// bare is an address for people, and to be kept: a place without its query, which is
// where some hosts take a token.
func bare(address string) string {
	address = place(address)
	if scheme, rest, ok := strings.Cut(address, "://"); ok {
		if end := strings.IndexAny(rest, "?#"); end >= 0 {
			return scheme + "://" + rest[:end]
		}
	}
	return address
}

// anAddress finds addresses in what git and remotes say.
var anAddress = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s'"<>]+`)

// withoutTokens has the addresses in words bare.
func withoutTokens(words string) string { return anAddress.ReplaceAllStringFunc(words, bare) }
