// Package frame is the picture of one screen: rows made of parts that start at
// absolute columns. It measures, cuts, pads and composes, and it is the one place
// where text from outside (contents, names, prompts, reasons) becomes text for the
// terminal.
//
// Invariants: every row covers every column once or more and none beyond; no byte
// of foreign text reaches the terminal as a control: C0, C1, DEL, bidi and
// invisible marks and invalid UTF-8 are drawn as words; tabs end at tab stops;
// drawing costs the cells drawn (and the bytes left of them), never the length of
// a line. After a cluster whose width terminals disagree on, the column is set
// again, so no row can shift. A crash leaves nothing behind.
package frame
