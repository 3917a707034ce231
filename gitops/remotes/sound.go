package remotes

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
)

// unsound is a fetch that git turned down for what came, not for how: an object that
// its checks refuse, or one that is missing.
type unsound struct{ words string }

func (u *unsound) Error() string { return "what the remote has there is damaged: " + u.words }

// unsoundIn is err as an unsound, nil where it is of another kind.
func unsoundIn(err error) *unsound {
	var ge *gitops.GitError
	if !errors.As(err, &ge) || ge.Exit < 0 {
		return nil
	}
	for _, sign := range []string{"fsck error", "index-pack failed", "unpack-objects failed", "did not send all necessary objects", "repository corruption on the remote side"} {
		if strings.Contains(ge.Stderr, sign) {
			return &unsound{firstWords(ge.Stderr)}
		}
	}
	return nil
}

// soundTries is how many calls of git the search for damaged records among many may
// cost: each costs twice the logarithm of their number.
const soundTries = 256

// fetchSound is fetch, where one damaged record does not keep the others from coming:
// those that the patterns match are then brought in halves. bad says of each that did
// not come why.
func (b *outbox) fetchSound(ctx context.Context, t Target, limit time.Duration, patterns ...string) (came, bad map[string]string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	defer cancel()
	came, err = b.fetch(ctx, t, limit, patterns...)
	var cause *unsound
	if !errors.As(err, &cause) {
		return came, nil, err
	}
	have, err := b.e.Advertised(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	s := &sifting{b: b, t: t, bad: map[string]string{}, left: soundTries}
	wanted, err := s.missing(ctx, have, patterns)
	if err != nil {
		return nil, nil, err
	}
	if err := s.take(ctx, wanted); err != nil {
		return nil, nil, err
	}
	came, err = b.refs(ctx)
	return came, s.bad, err
}

// sifting is the search for what can come among what cannot.
type sifting struct {
	b    *outbox
	t    Target
	bad  map[string]string
	left int
}

// missing are the refs of have that patterns match and that are not here as they are there.
func (s *sifting) missing(ctx context.Context, have map[string]string, patterns []string) ([]string, error) {
	var wanted []string
	for _, name := range slices.Sorted(maps.Keys(have)) {
		_, err := checkpoint.ParseRef(name)
		if (err == nil || name == checkpoint.BranchRef || name == checkpoint.PolicyRef) && matched(name, patterns) {
			wanted = append(wanted, name)
		}
	}
	held, err := s.b.e.Refs.Values(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(wanted, func(name string) bool { return held[name] == have[name] }), nil
}

// matched tells whether a pattern, a prefix with a star behind it, has name.
func matched(name string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return strings.HasPrefix(name, strings.TrimSuffix(p, "*")) })
}

// take fetches some refs, and halves of those that cannot come together. The error says
// that the remote cannot be reached any more.
func (s *sifting) take(ctx context.Context, some []string) error {
	if len(some) == 0 {
		return nil
	}
	if s.left <= 0 {
		for _, name := range some {
			s.bad[name] = "too many damaged records came with it: overturn sync fetch ID brings it alone"
		}
		return nil
	}
	s.left--
	err := s.b.bring(ctx, s.t, s.b.e.Limits.Move, some)
	var cause *unsound
	switch {
	case !errors.As(err, &cause):
		return err
	case len(some) == 1:
		s.bad[some[0]] = cause.Error()
		return nil
	}
	if err := s.take(ctx, some[:len(some)/2]); err != nil {
		return err
	}
	return s.take(ctx, some[len(some)/2:])
}
