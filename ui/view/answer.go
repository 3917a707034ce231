package view

import (
	"time"

	"overturn/model"
)

// Answer is what the user has to say to the agent: comments, and what was taken back
// since its last turn began.
type Answer struct {
	Remarks   []Remark // all comments, by file and line
	TakenBack []model.TakenBack
	Prompt    string   // all that was not told yet as one text; "" where there is nothing
	Points    int      // comments that were not told yet
	Waiting   *Waiting // what waits for the agent's next prompt, or nil
}

// Remark is a comment and where its lines stand on disk now, in words.
type Remark struct {
	model.Comment
	Where string
}

// Waiting is a hand-over that the agent's next prompt will bring.
type Waiting struct {
	At        time.Time
	Agent     string
	Thread    model.ThreadID
	Comments  int
	TakenBack int
	Text      string
}

// Copied says by which ways a text went to the clipboard, and what the terminal has
// to be told for it (nil: nothing).
type Copied struct {
	Ways []string
	Raw  []byte
}
