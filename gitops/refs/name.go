package refs

import (
	"strings"

	"overturn/model"
)

// prefixes are where overturn's refs live (CONTRACT, section 4).
func prefixes() []string { return []string{"refs/overturn/", "refs/heads/overturn/"} }

// checkName refuses names outside overturn's own and names that
// git-check-ref-format(1) refuses.
func checkName(name string) error {
	own := false
	for _, prefix := range prefixes() {
		own = own || strings.HasPrefix(name, prefix)
	}
	if !own {
		return model.Refusedf("ref %q is not overturn's to touch", name)
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; c <= ' ' || c == 0x7f || strings.IndexByte("~^:?*[\\", c) >= 0 {
			return model.Usagef("%q is not a ref name", name)
		}
	}
	if strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.HasSuffix(name, ".") {
		return model.Usagef("%q is not a ref name", name)
	}
	for _, part := range strings.Split(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return model.Usagef("%q is not a ref name", name)
		}
	}
	return nil
}

// below tells whether name is prefix or lies below it, by whole parts.
func below(name, prefix string) bool {
	prefix = strings.TrimSuffix(prefix, "/")
	return name == prefix || strings.HasPrefix(name, prefix+"/")
}
