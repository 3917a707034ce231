package snapshot

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/model"
)

// isRepository tells whether dir is a git directory, as git tells (setup.c,
// is_git_directory): it has a HEAD that names a ref or a commit, and objects and
// refs. What cannot be looked at counts as there: nothing of it is taken then.
func isRepository(dir string) bool {
	common := commonOf(dir)
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); notThere(err) || err == nil && !info.IsDir() {
			return false
		}
	}
	return headStands(filepath.Join(dir, "HEAD"))
}

// commonOf is the common directory of a git directory, which may be that of a
// linked work tree.
func commonOf(gitDir string) string {
	data, err := gitops.ReadFile(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return gitDir
	}
	common := strings.TrimSpace(string(data))
	if !filepath.IsAbs(common) {
		common = filepath.Join(gitDir, common)
	}
	return common
}

// headStands tells whether the HEAD of a git directory is one that git accepts
// (path.c, validate_headref).
func headStands(name string) bool {
	const shortest = 40 // hex digits of an object id
	if link, err := os.Readlink(name); err == nil {
		return strings.HasPrefix(link, "refs/")
	}
	data, err := gitops.ReadFile(name)
	if err != nil {
		return !notThere(err)
	}
	text := string(data)
	if ref, symbolic := strings.CutPrefix(text, "ref:"); symbolic {
		return strings.HasPrefix(strings.TrimLeft(ref, " \t\r\n\v\f"), "refs/")
	}
	if len(text) < shortest {
		return false
	}
	_, err = hex.DecodeString(text[:shortest])
	return err == nil
}

func notThere(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// newNested is the reason of a nested repository that the earlier of two captures
// did not meet.
func newNested() string { return "new " + whyNested.String() }

// Came lists what the later of two captures left out and the earlier did not; a
// nested repository among it is called new. Where the earlier list was cut at its
// limit nothing can be said.
func Came(earlier, later []model.Noted) []model.Noted {
	if len(earlier) >= LeftOutLimit {
		return nil
	}
	known := make(map[model.Path]bool, len(earlier))
	for _, n := range earlier {
		known[n.Path] = n.Reason != newNested() // which was said of the same later one
	}
	var came []model.Noted
	for _, n := range later {
		if known[n.Path] {
			continue
		}
		if n.Reason == whyNested.String() {
			n.Reason = newNested()
		}
		came = append(came, n)
	}
	return came
}

// goneMark ends the reason of what stood at the earlier of two captures alone.
const goneMark = ", gone since"

// Gone lists what the earlier of two captures left out and of which nothing stands
// at the later one, whose tree is given: marked, since no snapshot can bring it back.
func Gone(ctx context.Context, objs *objects.Store, earlier, later []model.Noted, tree string) ([]model.Noted, error) {
	if len(later) >= InventoryLimit {
		return nil, nil
	}
	still := make(map[model.Path]bool, len(later))
	for _, n := range later {
		still[n.Path] = true
	}
	var gone []model.Noted
	for _, n := range earlier {
		if still[n.Path] {
			continue
		}
		_, captured, err := objs.Lookup(ctx, tree, model.Path(strings.TrimSuffix(string(n.Path), "/")))
		if err != nil {
			return nil, err
		}
		if n.Reason = strings.TrimSuffix(n.Reason, goneMark); !captured {
			n.Reason += goneMark
			gone = append(gone, n)
		}
	}
	return gone, nil
}
