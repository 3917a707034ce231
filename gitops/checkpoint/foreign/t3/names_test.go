package t3_test

import (
	"fmt"
	"strings"
	"testing"

	"overturn/gitops/checkpoint/foreign/foreigntest"
	"overturn/gitops/checkpoint/foreign/t3"
)

// spelling is the name that a ref has which was taken apart so.
func spelling(n t3.Name) string {
	s := fmt.Sprintf("refs/t3/checkpoints/%s/turn/%d", n.Segment, n.Number)
	if n.Generation == t3.Second {
		s = fmt.Sprintf("refs/t3/orchestration-v2/checkpoints/%s/ordinal/%d", n.Segment, n.Number)
	}
	if n.Start {
		s += "-start"
	}
	return s
}

func TestParseName(t *testing.T) {
	key := foreigntest.Key("scope")
	first, second := "refs/t3/checkpoints/", "refs/t3/orchestration-v2/checkpoints/"
	for name, want := range map[string]t3.Name{
		first + "YQ/turn/0":                    {Generation: t3.First, Segment: "YQ"},
		first + "a-_Z9/turn/12":                {Generation: t3.First, Segment: "a-_Z9", Number: 12},
		second + key + "/ordinal/7":            {Generation: t3.Second, Segment: key, Number: 7},
		second + key + "/ordinal/7-start":      {Generation: t3.Second, Segment: key, Number: 7, Start: true},
		first + "YQ/turn/1-start":              {},
		first + "YQ/turn/01":                   {},
		first + "YQ/turn/-1":                   {},
		first + "YQ/turn/+1":                   {},
		first + "YQ/turn/1/2":                  {},
		first + "YQ/turn/":                     {},
		first + "/turn/1":                      {},
		first + "Y=/turn/1":                    {},
		first + "YQ/ordinal/1":                 {},
		first + "YQ/turn/99999999999999999999": {},
		second + "YQ/ordinal/1":                {},
		second + key + "/turn/1":               {},
		"refs/forma/checkpoints/YQ/turn/1":     {},
		"refs/t3/checkpoints":                  {},
	} {
		got, ok := t3.ParseName(name)
		if ok != (want != t3.Name{}) || ok && got != want {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
		if ok && spelling(got) != name {
			t.Errorf("%s comes back as %+v", name, got)
		}
	}
}

// FuzzParseName: what is taken comes back the same, and is below the root.
func FuzzParseName(f *testing.F) {
	f.Add("refs/t3/checkpoints/YQ/turn/0")
	f.Add("refs/t3/orchestration-v2/checkpoints/" + foreigntest.Key("x") + "/ordinal/3-start")
	f.Fuzz(func(t *testing.T, name string) {
		n, ok := t3.ParseName(name)
		if ok && (spelling(n) != name || !strings.HasPrefix(name, t3.Root) || n.Number < 0) {
			t.Errorf("%q: %+v", name, n)
		}
	})
}
