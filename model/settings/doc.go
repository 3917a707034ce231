// Package settings reads overturn's settings from their layers, weakest first:
// defaults, the user's folder, the project (.overturn/settings.json), this checkout
// (.overturn/settings.local.json), the environment.
//
// Invariants: every value says where it came from. A file that is missing is no
// layer; one that is broken is an error that names it, and the settings that come
// with the error are those without it, so that a hook can still take its snapshot.
// The block "checkpoints" is strict (unknown fields are refused) and one layer's
// block replaces that of the layers below it whole. Other unknown names are told by
// Strangers and change nothing. The blocks "review" and "keys" are personal: a file that
// may come with a repository does not set them. Files may hold comments (model/jsonc);
// they are only read here, and a crash leaves nothing.
package settings
