package keymap

// Intent is what the user wants, whatever key says it.
type Intent string

// The intents.
const (
	None Intent = ""

	ModeWorking  Intent = "mode.working"
	ModeBranch   Intent = "mode.branch"
	BranchBase   Intent = "mode.branch-base"
	ModeLatest   Intent = "mode.latest"
	ModeSelected Intent = "mode.selected"
	TurnPrev     Intent = "turn.previous"
	TurnNext     Intent = "turn.next"
	TurnRange    Intent = "turn.range"
	TurnList     Intent = "turn.list"
	ThreadPick   Intent = "thread.pick"

	PaneNext Intent = "pane.next"
	Down     Intent = "move.down"
	Up       Intent = "move.up"
	HalfDown Intent = "move.half-down"
	HalfUp   Intent = "move.half-up"
	PageDown Intent = "move.page-down"
	PageUp   Intent = "move.page-up"
	Top      Intent = "move.top"
	Bottom   Intent = "move.bottom"
	HunkNext Intent = "hunk.next"
	HunkPrev Intent = "hunk.previous"
	FileNext Intent = "file.next"
	FilePrev Intent = "file.previous"
	Left     Intent = "move.left"
	Right    Intent = "move.right"
	Open     Intent = "open"

	Search     Intent = "search"
	SearchAll  Intent = "search.all"
	SearchNext Intent = "search.next"
	SearchPrev Intent = "search.previous"
	Pick       Intent = "file.pick"
	JumpBack   Intent = "jump.back"
	JumpAhead  Intent = "jump.ahead"

	Split   Intent = "view.split"
	Wrap    Intent = "view.wrap"
	Space   Intent = "view.whitespace"
	Expand  Intent = "context.expand"
	Whole   Intent = "context.whole"
	More    Intent = "context.more"
	Less    Intent = "context.less"
	Tree    Intent = "view.tree"
	Only    Intent = "view.only-agent"
	Unread  Intent = "view.only-unread"
	Read    Intent = "read"
	Since   Intent = "read.since"
	Theme   Intent = "view.theme"
	Writers Intent = "view.writers"
	Refresh Intent = "refresh"

	Range     Intent = "range"
	Stage     Intent = "stage.hunk"
	StageFile Intent = "stage.file"
	Plan      Intent = "plan"
	Confirm   Intent = "plan.confirm"
	Drop      Intent = "plan.drop"
	Discard   Intent = "plan.discard"
	Forget    Intent = "plan.forget"
	Undo      Intent = "undo"
	Redo      Intent = "redo"
	Revert    Intent = "revert"
	RevertAll Intent = "revert.all"
	History   Intent = "history"
	Card      Intent = "card"
	Editor    Intent = "editor"

	Palette Intent = "palette"
	Help    Intent = "help"
	Back    Intent = "back"
	Quit    Intent = "quit"
	Kill    Intent = "quit.now"
	Suspend Intent = "suspend"
	Redraw  Intent = "redraw"

	Comment    Intent = "comment"
	RemarkNext Intent = "comment.next"
	RemarkPrev Intent = "comment.previous"
	Comments   Intent = "comments"
	Rewrite    Intent = "comment.edit"
	Remove     Intent = "comment.delete"
	RemoveTold Intent = "comment.delete-told"
	HandOver   Intent = "comment.hand-over"
	Copy       Intent = "copy"
	CopyPrompt Intent = "copy.prompt"
	Why        Intent = "plan.why"

	HelpSearch Intent = "help.search"
	Mouse      Intent = "mouse"
)

// Place is where a key holds: everywhere in the review, or in one screen.
type Place int

// The places. A screen's own keys come before those of Everywhere.
const (
	Everywhere Place = iota
	InReview         // files and diff
	InDiff           // the diff has the focus
	InPlan
	InHistory
	InHelp
	InComments
)

// Group heads a column of the help.
type Group string

// The groups, in the order of the help.
const (
	Compare Group = "Compare"
	Move    Group = "Move"
	View    Group = "View"
	Find    Group = "Find"
	TakeOut Group = "Take back"
	Answer  Group = "Answer"
	General Group = "General"
)

// Groups lists them in order.
func Groups() []Group { return []Group{Compare, Move, View, Find, TakeOut, Answer, General} }
