package patch

// FilePatch is one file of a git patch.
type FilePatch struct {
	FileHeader
	Hunks []PatchHunk
}

// PatchHunk is a hunk as it was read.
type PatchHunk struct {
	OldStart, OldLines, NewStart, NewLines int
	Section                                string
	Lines                                  []PatchLine
}

// PatchLine is a row of a hunk: ' ', '-' or '+', the text without its newline.
type PatchLine struct {
	Kind      byte
	Text      []byte
	NoNewline bool
}
