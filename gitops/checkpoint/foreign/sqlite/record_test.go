package sqlite

import (
	"slices"
	"testing"
)

func TestColumnNames(t *testing.T) {
	for statement, want := range map[string][]string{
		"create table t (a text, b int)":                                                            {"a", "b"},
		"CREATE TABLE t(a,\"b, c\" text default 'x,)',`d`,[e f] int)":                               {"a", "b, c", "d", "e f"},
		"create table t (a -- b, c\n, /* d, */ e)":                                                  {"a", "e"},
		"create table t (a, PRIMARY KEY (a, b), foreign key (a) references x(a), \"primary\" text)": {"a", "primary"},
		"create table t (a check (a in ('(', \"x\")), b)":                                           {"a", "b"},
		"create table t (a, b as (a))":                                                              nil,
		"create table t (a, b text generated always as (a) stored)":                                 nil,
		"create table t (a primary key) without rowid":                                              nil,
		"create table t (a":          nil,
		"create table t (a 'b)":      nil,
		"create table t ()":          nil,
		"create table t as select 1": nil,
		"":                           nil,
	} {
		if got, ok := columnNames(statement); !slices.Equal(got, want) || ok != (want != nil) {
			t.Errorf("%s: %q, %v; want %q", statement, got, ok, want)
		}
	}
}

func TestVarint(t *testing.T) {
	for bytes, want := range map[string]uint64{
		"\x00": 0, "\x7f": 127, "\x81\x00": 128, "\x81\x80\x00": 16384, "\xff\xff\xff\xff\xff\xff\xff\xff\xff": 1<<64 - 1,
	} {
		if got, n := varint([]byte(bytes + "rest")); got != want || n != len(bytes) {
			t.Errorf("%x: %d in %d bytes", bytes, got, n)
		}
	}
	if _, n := varint([]byte("\x81\x80")); n != 0 {
		t.Error("a number that is cut short is read")
	}
}

// FuzzColumnNames: any statement is taken apart or refused, and names are not empty.
func FuzzColumnNames(f *testing.F) {
	f.Add("create table t (a text, 'b' int)")
	f.Fuzz(func(t *testing.T, statement string) {
		names, ok := columnNames(statement)
		if ok == (len(names) == 0) || ok && slices.Contains(names, "") {
			t.Errorf("%q: %q, %v", statement, names, ok)
		}
	})
}

// FuzzColumns: any record is taken apart or refused.
func FuzzColumns(f *testing.F) {
	f.Add([]byte("\x03\x13\x01abc\x05"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		if list, err := columns(payload); err == nil && len(list) > len(payload) {
			t.Errorf("%d columns out of %d bytes", len(list), len(payload))
		}
	})
}
