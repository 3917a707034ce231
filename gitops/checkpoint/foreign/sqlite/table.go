package sqlite

import (
	"strconv"
	"strings"
)

// Rows hands out the named columns of every row of a table, until each returns false. A
// table that is not there has no rows, a column that is not there is "" in all of them:
// the database is another program's, of whatever version.
func (db *DB) Rows(table string, names []string, each func(values []string) bool) error {
	root, columnsOf, err := db.find(table)
	if err != nil || root == 0 {
		return err
	}
	at := make([]int, len(names))
	for i, name := range names {
		at[i] = -1
		for j, column := range columnsOf {
			if strings.EqualFold(column, name) {
				at[i] = j
			}
		}
	}
	return db.tree(root, func(payload []byte) (bool, error) {
		row, err := columns(payload)
		if err != nil {
			return false, err
		}
		values := make([]string, len(names))
		for i, j := range at {
			if j >= 0 && j < len(row) { // a column that was added later is not in older rows
				values[i] = row[j]
			}
		}
		return each(values), nil
	})
}

// find looks a table up in the schema, which is the table on page 1; root 0 where it is
// not there.
func (db *DB) find(table string) (root uint32, names []string, err error) {
	const (
		columnType, columnName, columnRoot, columnSQL = 0, 1, 3, 4
		columnCount                                   = 5
	)
	statement := ""
	err = db.tree(1, func(payload []byte) (bool, error) {
		row, err := columns(payload)
		if err != nil || len(row) < columnCount || row[columnType] != "table" || !strings.EqualFold(row[columnName], table) {
			return true, err
		}
		n, err := strconv.ParseUint(row[columnRoot], 10, 32)
		if err != nil {
			return false, bad("table %s has no root", table)
		}
		root, statement = uint32(n), row[columnSQL]
		return false, nil
	})
	if err != nil || root == 0 {
		return 0, nil, err
	}
	names, ok := columnNames(statement)
	if !ok {
		return 0, nil, bad("table %s is of a form that is not known", table)
	}
	return root, names, nil
}
