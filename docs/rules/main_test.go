package main

import (
	"strings"
	"testing"
)

const sample = `# a comment
title = "t"

[allowlist]
regexes = [
    '''^x$''', # one
    '''a"b]''',
]
paths = ['''p''']

[[rules]]
id = "one"
regex = '''(?i)key=([a-z]{3})'''
secretGroup = 1
entropy = 3.5
keywords = [
    "key",
]
[[rules.allowlists]]
regexTarget = "match"
regexes = ['''y''']
[[rules.allowlists]]
condition = "AND"
paths = ['''q''']
regexes = ['''z''']

[[rules]]
id = "name of a file alone"
path = '''\.p12$'''
`

func TestConvert(t *testing.T) {
	got, err := convert("module@v1", sample)
	const want = `{"source":"module@v1",
"allow":[{"regexps":["^x$","a\"b]"]}],
"rules":[
{"id":"one","regexp":"(?i)key=([a-z]{3})","group":1,"entropy":3.5,"keywords":["key"],"allow":[{"target":"match","regexps":["y"]}]}
]}
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// A file that is not written as this program knows is refused, never half read.
func TestRefused(t *testing.T) {
	rule := "[[rules]]\nid = \"a\"\nkeywords = [\"k\"]\nregex = "
	for text, why := range map[string]string{
		rule + "'''('''":                 "rule a",
		"[[rules]]\nregex = '''x'''\n":   "no keyword",
		"[extend]\nuseDefault = 1\n":     "table \"extend\"",
		rule + "\"\"\"x\"\"\"":           "line 4",
		rule + `"a\nb"`:                  "no string",
		"keywords = [\"a\"":              "no end",
		"a b = 1":                        "no name and value",
		"flag = true":                    "invalid syntax",
		"id = ":                          "ends where a value is due",
		rule + "'''never ends":           "no string",
		"keywords = [ 1 ]":               "no string",
		"just words":                     "no name and value",
		"[[rules]]\nid = \"x\"\n= \"y\"": "line 3",
	} {
		if _, err := convert("m", text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
