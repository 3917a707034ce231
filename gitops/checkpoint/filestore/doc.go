// Package filestore is the files backend of checkpoint records, a mirror: plain
// files in the folder overturn/checkpoints of the common git directory, for other
// programs and for backups.
//
//	<last two characters of the id>/<id>/<n>/   version n of the record, from 1 on
//
// Each version is whole, its files are those of every other backend (see package
// checkpoint), and the one with the highest number is the newest. Nothing but
// overturn's doctor and tests reads them back.
//
// Invariants: a version is written beside, synced, and renamed into its place, which
// fails where the place is taken: of two writers one starts over. No version is ever
// changed, and none goes but with its whole record: there is no number that could be
// taken twice.
//
// A crash leaves a folder named .<id>-….tmp, which the next write of the shard
// removes when it is old, or the whole version.
package filestore
