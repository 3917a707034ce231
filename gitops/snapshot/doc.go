// Package snapshot captures a work tree into git objects, quickly and whole, and
// reads such snapshots back. ARCHITECTURE, Capture, is its brief.
//
// A capture keeps a stat table of the work tree (table.go, tablefile.go) in the
// state folder. It looks at every known file (walk.go), lists directories that
// moved (list.go), learns which new names git ignores (ignore.go, verdict.go, reask.go),
// reads what changed (hash.go), stores it as git would (eol.go, attrs.go,
// gitconv.go) and as it is where these differ (raw.go), and builds the trees of the directories that changed (trees.go).
// The names in the user's index and in HEAD come in through git (index.go,
// listing.go) when one of them moved. On the common path no git is spawned.
//
// What the root tree holds: what git add -A would store in an index that names
// what HEAD and the user's index name. The tests have git do exactly
// that (CaptureSlow), and hold Capture against it on generated trees. Differences:
//
//   - modes are those on disk, also with core.fileMode=false;
//   - a nested repository that is no submodule of the index is left out, and so is
//     a linked work tree, where git would store a gitlink;
//   - what cannot be captured (unreadable, too large, special, a name that git
//     refuses) is left out, where git would fail, or take it for deleted;
//   - a file whose filter fails is stored as it is, with a note;
//   - conversions follow the attributes of the moment, where git add looks only
//     at files whose stat moved.
//
// Bytes on disk: Raw names the blob of what is on disk for exactly the files of
// which the tree holds other bytes, whether or not a checkout would bring them back,
// since rules and settings change. So a file without an entry there is, to the byte,
// its blob in the tree, and nothing that reads a snapshot ever asks git to convert.
// A file that the index vouches for is read once where a conversion applies, where a
// filter is named that is not set up, where its blob has another length, and where the
// configuration has a filter other than git-lfs, which may have kept the length while
// the attributes still named it (seeds.go).
// What is converted therefore costs its bytes a second time in the object store.
//
// Left out means: listed in LeftOut, by its path or by that of a folder above,
// and in the tree as the index (else HEAD) has it, where it is tracked, so that it
// never reads as deleted. Consumers take a path in LeftOut as not captured. What
// sparse checkout left out is listed the same way. Ignored names are not listed.
// What stood on disk when git began or ceased to ignore it is listed in Turned: it is
// no change from a tree without it (Unsure).
//
// Invariants: the user's index, HEAD, refs, stash and reflogs are never written,
// nor any file of the work tree; links are read, never followed; a failure to
// learn what git ignores fails the capture. A file counts as unchanged only while
// size, inode, mode, mtime and ctime stand and ctime is older than the capture by
// more than the grain of the file system's own clock (racy).
//
// In doubt: the slow way is to read every file, in process. It is taken where the
// table is absent or damaged and the index's stat cannot be read (listIndex), and
// file by file where a stat does not vouch for a file. Trees are never left to git's
// add -A outside of tests: all that the quick way takes from git, names, verdicts on
// ignoring and conversion, it asks of git in the same words as add does, and where
// git does not answer a capture fails; and add would fail on one bad path, or take
// what is left out for deleted.
//
// Objects: an id in the table is taken for stored while the snapshot published
// last (the anchor) is: gc keeps or takes a commit with all that it reaches. What
// came since is asked for one by one at the next capture.
//
// Locks: there is none. Two captures at once both do the whole work and both are
// right; each replaces the table in one step, and whichever table stays is true
// of the moment it was made.
//
// A crash leaves the old table, or a torn one, which fails its checksum and is
// made anew; temporary files table-*.tmp and folders convert-*.tmp in the state folder, which
// nothing reads (the ledger's Settle removes them); and objects that no ref holds, for gc.
package snapshot
