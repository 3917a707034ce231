package redact

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"overturn/model"
)

func newRedactor(t testing.TB, o Options) *Redactor {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func quote(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// quoted is how a string stands in JSON, without the quotes.
func quoted(t testing.TB, s string) []byte {
	data := quote(t, s)
	return data[1 : len(data)-1]
}

// secrets are made up; none opens anything. They are put together here, so that the
// scanner of whoever looks at this file finds none.
func secrets() map[string]string {
	return map[string]string{
		"aws-access-token":     "AK" + "IAQ3EGRZL5XWNTJ2MB",
		"github-pat":           "gh" + "p_x7Kd93mQpLs82NvbTqWe41RyUoZc56HaFgJi",
		"anthropic-api-key":    "sk-" + "ant-api03-" + strings.Repeat("aB3_dE6-hJ", 9) + "xyzAA",
		"slack-bot-token":      "xo" + "xb-263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1",
		"stripe-access-token":  "sk_" + "live_51H8mX2eZvKYlo2CbTqR9sWd4",
		"gcp-api-key":          "AI" + "zaSyD8f3kLm29sQwXcVbNhTrEpUoYzGiJa4K1",
		"npm-access-token":     "np" + "m_k3jd8s7f6g5h4j3k2l1q9w8e7r6t5y4u3i2o",
		"gitlab-pat":           "gl" + "pat-9f3KxZq7LmNw2RtYbVcE",
		"jwt":                  "ey" + "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI5ODEyMzQ3NjU1IiwibmFtZSI6IktheSJ9.kq8Jx2VnL0dTfRzYw3Hb7mPcXs6Ue1AgQoIi5NtKrEs",
		"uri-password":         "hunter2pass",
		"entropy":              "q7Xr2LkP9vTzB4mWc8NdYh3JsFg6Ue1A",
		"authorization-header": "c29tZXVzZXI6c29tZXBhc3M",
	}
}

func lineWith(rule, secret string) string {
	switch rule {
	case "uri-password":
		return "psql postgres://app:" + secret + "@db.internal:5432/app"
	case "authorization-header":
		return "Authorization: Basic " + secret
	}
	return "it is " + secret + " as you see"
}

func TestSecretsGo(t *testing.T) {
	r := newRedactor(t, Options{})
	for rule, secret := range secrets() {
		line := lineWith(rule, secret)
		want := strings.Replace(line, secret, "[redacted:"+rule+"]", 1)
		if out, findings := r.Text([]byte(line)); string(out) != want || len(findings) != 1 {
			t.Errorf("%s: %q, %v", rule, out, findings)
		}
		for _, spelt := range [][]byte{quote(t, line), quote(t, string(quote(t, "one\n"+line+"\ttwo"))), []byte(`{"a":["x",{"content":` + string(quote(t, line)) + `}]}`)} {
			out, findings := r.JSON(spelt)
			if bytes.Contains(out, []byte(secret)) || !json.Valid(out) || len(findings) != 1 {
				t.Errorf("%s in %s: %s, %v", rule, spelt, out, findings)
			}
		}
	}
}

// TestShapesOfPasswords: what no provider gave a form to is known by where it stands.
func TestShapesOfPasswords(t *testing.T) {
	r := newRedactor(t, Options{})
	for line, secret := range map[string]string{
		`DB_PASSWORD=letmein now`:                         "letmein",
		`export API_KEY="abcd-1234"`:                      "abcd-1234",
		`{"user":"kay","password":"hunter two"}`:          "",
		`{"user":"kay","password":"hunter2"}`:             "hunter2",
		`{"credentials":{"passphrase":["correcthorse"]}}`: "correcthorse",
		`mysql --password=s3cretish -u root`:              "s3cretish",
		`tool --token abcdef12 run`:                       "abcdef12",
		`tool --db-password hunter2 run`:                  "hunter2",
		`tool --client-secret=abcdef12 run`:               "abcdef12",
		`tool --aws-secret-access-key abcdef12`:           "abcdef12",
		`{"env":{"DB_PASS":"s3cr3t-p"}}`:                  "s3cr3t-p",
		`smtp_pass: s3cr3tp`:                              "s3cr3tp",
		`<db><password>s3cr3tp</password></db>`:           "s3cr3tp",
		`define('DB_PASSWORD', 's3cr3t p');`:              "s3cr3t p",
		`CREATE USER a IDENTIFIED BY 's3cr3t p';`:         "s3cr3t p",
		`["tool","--token","abcdef12","--quiet"]`:         "abcdef12",
		`{"argv":["x","--db-password","abcdef12"]}`:       "abcdef12",
		`machine h login kay password opensesame`:         "opensesame",
		`Cookie: session=abc123def; theme=dark`:           "abc123def",
		`authorization: Bearer abcdefgh12345`:             "abcdefgh12345",
		`git clone https://0123456789abcdef0123@host/x`:   "0123456789abcdef0123",
		`Server=db;Uid=app;Password=tr0ub4dor;`:           "tr0ub4dor",
		`password: 'tr0ub4dor and more'`:                  "",
		`password: "correct-horse"`:                       "correct-horse",
	} {
		find := r.Text
		if json.Valid([]byte(line)) {
			find = r.JSON
		}
		out, findings := find([]byte(line))
		if secret == "" {
			if len(findings) != 0 {
				t.Errorf("%q is made %q", line, out)
			}
			continue
		}
		if strings.Contains(string(out), secret) || len(findings) != 1 || line[findings[0].Start:findings[0].End] != secret && !strings.Contains(line, "Cookie") {
			t.Errorf("%q is made %q, %v", line, out, findings)
		}
	}
}

// TestHarmlessStays: what looks like a secret to a coarser eye and is none.
func TestHarmlessStays(t *testing.T) {
	r := newRedactor(t, Options{})
	for _, text := range []string{
		`if apiKey == "" { return errNoKey }`,
		`const token = await getToken(user.accountId)`,
		`password = os.environ["DB_PASSWORD"]`,
		`DB_PASSWORD=${DB_PASSWORD:-}`,
		`export TOKEN=$(cat /run/secrets/token)`,
		`"password": "<your password>"`,
		`"first_pass": true, "second_pass": 12, third_pass: the rest`,
		`<password>${DB_PASSWORD}</password>, identified by the user, define('WP_DEBUG', 'false')`,
		`["--verbose","abcdef12","--token","--quiet"]`,
		`run --max-tokens 4096 --no-secrets --bypass all`,
		`password: changeme`,
		`commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904`,
		`sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`,
		`request 6f9619ff-8b86-d011-b42d-00cf4fc964ff`,
		`checkpoint 01kvbjcwya4yw6j5m9gp655hzn`,
		`src/components/HeaderNavigation2/ResponsiveMenuContainer.test.tsx`,
		`/home/kay/.local/share/containers/storage/overlay/Diff2/merged`,
		`TestScreenOfReviewKeepsTheCursorWhereItWas2AfterRefresh`,
		`golang.org/x/sys v0.30.0 h1:QjkSwP/36a20jFYWkSue1YwXzLmsV5Gfq7Eiy72C1uc=`,
		`"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="`,
		`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGxL6YcnT0zVZ3mNq8fJrRkQ2b7sWdXyPoUeHgTiAc4B kay@host`,
		`256 SHA256:3Xk9v2LmQpR7sTzWbYc8NdJhFgUe1AoIi5KrEx4Vq6M kay@host (ED25519)`,
		`"tool_use_id":"toolu_01A9f3KxZq7LmNw2RtYbVcE8Jd"`,
		`the key of the door, the token of love, a secret between us: access is free`,
		`git push https://github.com/kay/project.git`,
		`http://localhost:8080/path?x=1@2`,
		`-----BEGIN CERTIFICATE-----`,
		`ssh kay@host.example.org`,
		`abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/`,
		`"Authorization": req.Header["Proxy-Authorization"],`,
		`cookie: &Cookie{Name: "session", Value: value},`,
		`====================================================================`,
		strings.Repeat("-", 2000),
	} {
		if out, findings := r.Text([]byte(text)); len(findings) != 0 {
			t.Errorf("%q is made %q, %v", text, out, findings)
		}
	}
}

func TestIdsInJSONStay(t *testing.T) {
	r := newRedactor(t, Options{})
	id := secrets()["entropy"]
	for _, text := range []string{`{"messageId":"` + id + `"}`, `{"parent_ids":["` + id + `"]}`, `{"signature":"` + strings.Repeat(id, 50) + `"}`} {
		if out, findings := r.JSON([]byte(text)); len(findings) != 0 {
			t.Errorf("%q is made %q", text, out)
		}
	}
	if out, _ := r.JSON([]byte(`{"session_id":"` + secrets()["github-pat"] + `"}`)); !bytes.Contains(out, []byte("[redacted:github-pat]")) {
		t.Errorf("a key of a known shape stays where an id stands: %s", out)
	}
	if out, _ := r.JSON([]byte(`{"data":"` + strings.Repeat(id, 50) + `"}`)); string(out) != `{"data":"[redacted:blob]"}` {
		t.Errorf("a blob is made %s", out)
	}
}

func TestOwnPatterns(t *testing.T) {
	r := newRedactor(t, Options{Patterns: []Pattern{{"staff", `\bE-\d{5}\b`}, {"host", `//([a-z]+)\.corp\b`}}, Allow: []string{`ghp_x7K.*`, `E-0{5}`}})
	for text, want := range map[string]string{
		"E-12345 and E-00000":          "[redacted:staff] and E-00000",
		"https://build.corp/x":         "https://[redacted:host].corp/x",
		`{"n":"E-1\u0032345"}`:         `{"n":"[redacted:staff]"}`,
		secrets()["github-pat"]:        secrets()["github-pat"],
		"[redacted:staff] E-1234 //.c": "[redacted:staff] E-1234 //.c",
	} {
		if out, _ := r.JSON([]byte(text)); string(out) != want {
			t.Errorf("%q is made %q, not %q", text, out, want)
		}
	}
	for _, o := range []Options{{Patterns: []Pattern{{"a b", "x"}}}, {Patterns: []Pattern{{"", "x"}}}, {Patterns: []Pattern{{"a", "("}}}, {Allow: []string{"["}}} {
		if _, err := New(o); model.CodeOf(err) != model.CodeUsage {
			t.Errorf("%v: %v", o, err)
		}
	}
	plain := newRedactor(t, Options{})
	if r.Fingerprint() == plain.Fingerprint() || plain.Fingerprint() != newRedactor(t, Options{}).Fingerprint() {
		t.Error("the fingerprint does not tell the patterns apart")
	}
}

// TestMarkersOfNobody: what stands in brackets is opaque only where a rule has that name.
func TestMarkersOfNobody(t *testing.T) {
	r := newRedactor(t, Options{})
	out, _ := r.Text([]byte("[redacted:" + secrets()["github-pat"] + "]"))
	if strings.Contains(string(out), secrets()["github-pat"]) {
		t.Errorf("a secret hides in a marker: %s", out)
	}
}

// TestPatternsThatFindEverything come to an end, and leave JSON.
func TestPatternsThatFindEverything(t *testing.T) {
	for _, expr := range []string{`.`, `.*`, `\w+`, `e`, `redacted`, `\]`, `[^x]`} {
		r := newRedactor(t, Options{Patterns: []Pattern{{"all", expr}}})
		once, _ := r.JSON([]byte(`{"eel":"the redacted ]"}` + "\n\n" + `{"x":1}` + "\nnone"))
		twice, again := r.JSON(once)
		if !bytes.Equal(once, twice) || len(again) > 0 {
			t.Errorf("%s: %s, then %s", expr, once, twice)
		}
	}
}

func TestFindingsSayWhere(t *testing.T) {
	r := newRedactor(t, Options{})
	a, b := secrets()["github-pat"], secrets()["aws-access-token"]
	text := "one\n" + a + " and " + b + "\nthree\n" + a
	_, findings := r.Text([]byte(text))
	want := []Finding{{"github-pat", 2, 4, 4 + len(a)}, {"aws-access-token", 2, 9 + len(a), 9 + len(a) + len(b)}, {"github-pat", 4, len(text) - len(a), len(text)}}
	if len(findings) != 3 || findings[0] != want[0] || findings[1] != want[1] || findings[2] != want[2] {
		t.Errorf("%v, not %v", findings, want)
	}
}

// TestColours: what terminals are told between the letters of a secret, and right before
// it, does not hide it.
func TestColours(t *testing.T) {
	r := newRedactor(t, Options{})
	secret := secrets()["aws-access-token"]
	for _, text := range []string{
		"\x1b[32mkey\x1b[0m" + secret + "\x1b[K",
		"grep: \x1b[01;31m\x1b[K" + secret[:4] + "\x1b[m\x1b[K" + secret[4:],
		"x\x1b]8;;http://h\x1b\\" + secret + "\x1b]8;;\a.",
		"\x1b" + secret + "\x1b[3",
	} {
		for _, spelt := range []string{text, string(quote(t, []string{text})), string(quote(t, string(quote(t, text))))} {
			out, findings := r.JSON([]byte(spelt))
			if len(findings) != 1 || strings.Contains(string(out), secret[4:]) || json.Valid([]byte(spelt)) != json.Valid(out) {
				t.Errorf("%q is made %q", spelt, out)
			}
		}
	}
}

// TestPairs: a value has the name that its object gives it.
func TestPairs(t *testing.T) {
	r := newRedactor(t, Options{})
	for text, want := range map[string]string{
		`{"env":[{"name":"DB_PASSWORD","value":"letmein"},{"name":"HOME","value":"letmein"}]}`: `{"env":[{"name":"DB_PASSWORD","value":"[redacted:password-value]"},{"name":"HOME","value":"letmein"}]}`,
		`{"Key":"x.password","x":{"Value":"letmein"},"Value":"letmein"}`:                       `{"Key":"x.password","x":{"Value":"letmein"},"Value":"[redacted:password-value]"}`,
	} {
		if out, _ := r.JSON([]byte(text)); string(out) != want {
			t.Errorf("%s is made %s", text, out)
		}
	}
}

// TestLongLines: on a line of a megabyte every rule finds what it finds on a short one,
// wherever it stands, and secrets that are longer than a window whole.
func TestLongLines(t *testing.T) {
	r := newRedactor(t, Options{})
	filler := strings.Repeat("function(e,t){return e.key===t.token};", 30_000)
	long := "ey" + "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.ey" + strings.Repeat("JzdWIiOiI5ODEyMzQ3NjU1IiwibmFtZSI6IktheSJ9", 300) + ".kq8Jx2VnL0dTfRzYw3Hb7mPcXs6Ue1AgQoIi5NtKrEs"
	var line strings.Builder
	for rule, secret := range secrets() {
		line.WriteString(filler[:90_000] + " " + lineWith(rule, secret) + " ")
	}
	line.WriteString(filler[:50_000] + " " + long + " " + filler[:5_000])
	out, findings := r.Text([]byte(line.String()))
	if len(findings) != len(secrets())+1 || strings.Contains(string(out), "JzdWIiOiI5ODEyMzQ3NjU1IiwibmFtZSI6IktheSJ9Jzd") {
		t.Errorf("%v", findings)
	}
	for rule, secret := range secrets() {
		if strings.Contains(string(out), secret) || !strings.Contains(string(out), "[redacted:"+rule+"]") {
			t.Errorf("%s stays", rule)
		}
	}
}
