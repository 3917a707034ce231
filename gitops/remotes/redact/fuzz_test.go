package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

// seeds are texts in which something is found, in odd company.
func seeds(add func([]byte)) {
	for rule, secret := range secrets() {
		line := lineWith(rule, secret)
		add([]byte(line))
		add([]byte(`{"a":"` + line + `\n","api_key":["` + secret + `"]}` + "\n{torn " + line))
		add([]byte("\x1b[3" + line + "\x1b]8;" + secret[:5] + "\x1b[0m" + secret[5:] + `\u001b[m","name":"x_token","value":"abcd"`))
		add([]byte(`{"k":"{\"api_key\":\"` + secret + `\"}"}`))
		add([]byte(`\n` + secret + `\u0041\ud83d\ude00 \ud83d\q password="hunter2\\"`))
		add([]byte("[redacted:" + rule + "]" + secret + "=[redacted:entropy]"))
	}
	add([]byte("-----BEGIN RSA " + "PRIVATE KEY-----\n" + body() + "x"))
	add([]byte(`{"path_b64":"` + base64.StdEncoding.EncodeToString([]byte("d/\xff"+secrets()["github-pat"])) + `"}`))
	add([]byte("{\"password\": \"a\\\"bcdef\", \"x\": [{}, [], 1e9, \"PASSWORD=abcdef\"]}"))
}

// FuzzJSON: what was redacted has nothing left to find; JSON stays JSON, and the same but
// for its strings; what findings name is what changed.
func FuzzJSON(f *testing.F) {
	seeds(func(b []byte) { f.Add(b) })
	r := newRedactor(f, Options{Patterns: []Pattern{{"pin", `\b\d{4}\b`}}})
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		out, findings := r.JSON(b)
		if !bytes.Equal(b, before) {
			t.Fatal("the input was written to")
		}
		same(t, b, out, findings)
		if again, more := r.JSON(out); !bytes.Equal(again, out) || len(more) > 0 {
			t.Fatalf("%q is redacted to %q, and then to %q (%v)", b, out, again, more)
		}
		if !json.Valid(b) {
			return
		}
		if !json.Valid(out) {
			t.Fatalf("%q is JSON, and %q is not", b, out)
		}
		if a, c := bones(t, b), bones(t, out); a != c {
			t.Fatalf("%q has the bones %s, and %q has %s", b, a, out, c)
		}
	})
}

// FuzzText: the same for text.
func FuzzText(f *testing.F) {
	seeds(func(b []byte) { f.Add(b) })
	r := newRedactor(f, Options{})
	f.Fuzz(func(t *testing.T, b []byte) {
		out, findings := r.Text(b)
		same(t, b, out, findings)
		if again, more := r.Text(out); !bytes.Equal(again, out) || len(more) > 0 {
			t.Fatalf("%q is redacted to %q, and then to %q (%v)", b, out, again, more)
		}
	})
}

// same puts the markers in the place of the findings by hand.
func same(t *testing.T, b, out []byte, findings []Finding) {
	t.Helper()
	if len(findings) == 1 && findings[0].Rule == ruleText || bytes.Contains(b, []byte(`b64"`)) {
		return
	}
	var want []byte
	at := 0
	for _, f := range findings {
		if f.Start < at || f.End <= f.Start || f.Line != 1+bytes.Count(b[:f.Start], []byte{'\n'}) {
			t.Fatalf("findings %v of %q", findings, b)
		}
		want = append(append(want, b[at:f.Start]...), "[redacted:"+f.Rule+"]"...)
		at = f.End
	}
	if want = append(want, b[at:]...); !bytes.Equal(want, out) {
		t.Fatalf("%q with findings %v is %q", b, findings, out)
	}
}

// bones is a document with its strings emptied.
func bones(t *testing.T, doc []byte) string {
	t.Helper()
	var out strings.Builder
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil {
			return out.String()
		}
		if s, ok := token.(string); ok {
			token = `""`
			_ = s
		}
		out.Write(quote(t, token))
	}
}
