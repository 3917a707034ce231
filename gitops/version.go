package gitops

import (
	"context"
	"os"
	"strings"

	"overturn/model"
)

// Version is what `git version` says, e.g. "git version 2.39.5". The error says that
// there is no git in PATH, or one that is too old (with its version).
func Version(ctx context.Context, env Env) (string, error) {
	out, err := runGit(ctx, env, os.TempDir(), baseEnvironment(env.Environ), nil, []string{"version"})
	if err != nil {
		return "", err
	}
	words := strings.TrimSpace(string(out))
	major, minor, ok := parseVersion(words)
	switch {
	case !ok:
		return words, model.Errorf(model.CodeFailed, "git says %q, which is no version", words).WithHint(oldHint)
	case major < 2 || major == 2 && minor < 31:
		return words, model.Errorf(model.CodeFailed, "%s is too old", words).WithHint(oldHint)
	}
	return words, nil
}
