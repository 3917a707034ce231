// Package sqlite reads tables of an SQLite database that another program may be writing,
// out of its files alone: the database and its write-ahead log. A driver would be linked
// into every hook, and opening a database in use makes files beside it.
//
// It knows what reading a few columns of ordinary tables takes: the b-trees of tables with
// row ids, records, overflow pages, UTF-8, and the log's committed frames (the formats are
// SQLite's own description, "Database File Format"). Everything else is refused in words.
//
// Invariants: files are opened for reading, once; nothing is locked and nothing is made.
// Every number in the file is held against its bounds, no page is read twice in one tree,
// so that a torn or hostile file is an error and no loop. What a checkpoint of the log
// wrote meanwhile shows in Changed: whoever reads asks it last, and reads again.
package sqlite
