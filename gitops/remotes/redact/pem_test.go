package redact

import (
	"strings"
	"testing"
)

// body is five lines of a key that opens nothing.
func body() string {
	line := strings.Repeat("MIIEpAIBAAKCAQEAqwertyuiop", 3)[:64] + "\n"
	return strings.Repeat(line, 5)
}

func TestPrivateKeys(t *testing.T) {
	r := newRedactor(t, Options{})
	first, last := "-----BEGIN RSA "+"PRIVATE KEY-----", "-----END RSA "+"PRIVATE KEY-----"
	key := first + "\n" + body() + last
	headed := first + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n" + body()
	const marker = "[redacted:private-key]"
	for name, c := range map[string]struct{ text, want string }{
		"alone":          {key, marker},
		"among lines":    {"a\n" + key + "\nb\n", "a\n" + marker + "\nb\n"},
		"two":            {key + "\n\n" + key + "\n", marker + "\n\n" + marker + "\n"},
		"escaped":        {`k = "` + strings.ReplaceAll(key, "\n", `\n`) + `"`, `k = "` + marker + `"`},
		"end cut off":    {"a\n" + first + "\n" + body() + "more words\n", "a\n" + marker + "\nmore words\n"},
		"headers":        {headed + "\nmore words\n", marker + "\n\nmore words\n"},
		"start cut off":  {"some words\n" + body() + "ab==\n" + last + "\nb", "some words\n" + marker + "\nb"},
		"cut, then one":  {first + "\n" + body() + "words\n" + key, marker + "\nwords\n" + marker},
		"pgp":            {"-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\n\n" + body() + "=abcd\n-----END PGP " + "PRIVATE KEY BLOCK-----", marker},
		"frame alone":    {first, marker},
		"public":         {"-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----", ""},
		"ruler":          {"----- BEGIN -----\n-----\n-----BEGIN PRIVATE\nKEY-----", ""},
		"crlf":           {strings.ReplaceAll("a\n"+key+"\nb", "\n", "\r\n"), "a\r\n" + marker + "\r\nb"},
		"only last line": {last, marker},
	} {
		want := c.want
		if want == "" {
			want = c.text
		}
		if out, _ := r.Text([]byte(c.text)); string(out) != want {
			t.Errorf("%s: %q, not %q", name, out, want)
		}
	}
}

// TestNumberedKey: as editors and agents show files, with numbers or signs before the lines.
func TestNumberedKey(t *testing.T) {
	r := newRedactor(t, Options{})
	key := "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + body()
	for _, before := range []string{"     7\t", "+", "> ", "  12→"} {
		text := before + strings.ReplaceAll(strings.TrimSuffix(key, "\n"), "\n", "\n"+before) + "\n" + before + "done\n"
		for spelt, find := range map[string]func([]byte) ([]byte, []Finding){text: r.Text, string(quote(t, map[string]string{"c": text})): r.JSON} {
			out, findings := find([]byte(spelt))
			if strings.Contains(string(out), "MIIE") || len(findings) != 1 || !strings.Contains(string(out), "done") {
				t.Errorf("%q is made %q", spelt, out)
			}
		}
	}
}

func TestKubernetesSecret(t *testing.T) {
	r := newRedactor(t, Options{})
	text := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  login: c2VjcmV0LW9mLWthZQ==\n"
	if out, findings := r.Text([]byte(text)); len(findings) == 0 || strings.Contains(string(out), "c2VjcmV0") {
		t.Errorf("%q, %v", out, findings)
	}
}

// TestKeyInAList: agents keep the lines of a file, and of a patch, as a list of strings.
func TestKeyInAList(t *testing.T) {
	r := newRedactor(t, Options{})
	first, last := "-----BEGIN RSA "+"PRIVATE KEY-----", "-----END RSA "+"PRIVATE KEY-----"
	key := strings.Split(first+"\n"+body()+"Qk4xkQ==\n"+last, "\n")
	const marker = "[redacted:private-key]"
	for _, before := range []string{"", "+", "\t12→"} {
		lines, want := []string{"a", before + "b \" c"}, []string{"a", before + "b \" c"}
		for i, line := range key {
			lines, want = append(lines, before+line), append(want, marker)
			if i == 0 {
				want[len(want)-1] = before + marker
			}
		}
		lines, want = append(lines, "", "done"), append(want, "", "done")
		wrap := func(list []string) string {
			return string(quote(t, map[string]any{"patch": []any{map[string]any{"at": 7, "lines": list}}, "z": []string{"one"}}))
		}
		out, _ := r.JSON([]byte(wrap(lines)))
		if string(out) != wrap(want) {
			t.Errorf("%q is made %s", before, out)
		}
		if again, found := r.JSON(out); len(found) > 0 {
			t.Errorf("once more, it is made %s", again)
		}
	}
}
