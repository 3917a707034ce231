package redact

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"
)

const (
	digits   = "0123456789"
	hexes    = "0123456789abcdef"
	smalls   = "abcdefghijklmnopqrstuvwxyz"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnum    = smalls + capitals + digits
)

// drawn is a made-up secret: no file holds it, so that no scanner finds it here.
type drawn struct{ random *rand.Rand }

func (d drawn) of(letters string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = letters[d.random.IntN(len(letters))]
	}
	return string(out)
}

// leaked are lines as they stand in prompts, commands and transcripts, with the part
// that must not leave.
func leaked() map[string]string {
	d := drawn{rand.New(rand.NewPCG(7, 9))}
	list := map[string]string{}
	put := func(line, secret string) { list[strings.Replace(line, "%", secret, 1)] = secret }
	put("aws_access_key_id = %", "AK"+"IA"+d.of(capitals+"234567", 16))
	put("aws_secret_access_key = %", d.of(alnum+"/+", 40))
	put("export AWS_SECRET_ACCESS_KEY=%", d.of(alnum+"/+", 40))
	put("AWS_SESSION_TOKEN=%", d.of(alnum+"/+", 200))
	put("git remote set-url origin https://%@github.com/a/b.git", "gh"+"p_"+d.of(alnum, 36))
	put("GITHUB_TOKEN: %", "gh"+"s_"+d.of(alnum, 36))
	put("gh auth login --with-token <<< %", "github"+"_pat_"+d.of(alnum, 22)+"_"+d.of(alnum, 59))
	put("curl -H 'PRIVATE-TOKEN: %' https://gitlab.example/api", "gl"+"pat-"+d.of(alnum, 20))
	put("OPENAI_API_KEY=%", "sk-"+"proj-"+d.of(alnum, 74)+"T3Blb"+"kFJ"+d.of(alnum, 74))
	put("ANTHROPIC_API_KEY=%", "sk-"+"ant-api03-"+d.of(alnum, 93)+"AA")
	put("key: %", "AI"+"za"+d.of(alnum, 35))
	put("HF_TOKEN=%", "hf"+"_"+d.of(smalls+capitals, 34))
	put("stripe.api_key = '%'", "sk_"+"live_"+d.of(alnum, 24))
	put("rk: %", "rk_"+"live_"+d.of(alnum, 24))
	put("SLACK_TOKEN=%", "xo"+"xb-"+d.of(digits, 12)+"-"+d.of(digits, 12)+"-"+d.of(alnum, 24))
	put("curl -X POST %", "https://hooks."+"slack.com/services/T"+d.of(capitals+digits, 8)+"/B"+d.of(capitals+digits, 8)+"/"+d.of(alnum, 24))
	put("SENDGRID_API_KEY=%", "SG"+"."+d.of(alnum, 22)+"."+d.of(alnum, 43))
	put("TWILIO_API_KEY=%", "SK"+d.of(hexes, 32))
	put("mailgun: key=%", "key-"+d.of(hexes, 32))
	put("//registry.npmjs.org/:_authToken=%", "np"+"m_"+d.of(alnum, 36))
	put("//npm.corp.example/:_authToken=%", d.of(hexes, 8)+"-"+d.of(hexes, 4)+"-"+d.of(hexes, 4)+"-"+d.of(hexes, 4)+"-"+d.of(hexes, 12))
	put("TWINE_PASSWORD=%", "pypi-"+"AgEIcHlwaS5vcmc"+d.of(alnum, 70))
	put("DIGITALOCEAN_TOKEN=%", "dop_"+"v1_"+d.of(hexes, 64))
	put("vault login %", "hv"+"s."+d.of(alnum, 95))
	put("TF_TOKEN_app_terraform_io=%", d.of(alnum, 14)+"."+"atlasv1."+d.of(alnum, 64))
	put("doctl auth init -t %", "dop_"+"v1_"+d.of(hexes, 64))
	put("DATABRICKS_TOKEN=%", "da"+"pi"+d.of(hexes, 32))
	put("age secret %", "AGE-"+"SECRET-KEY-1"+d.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))
	put("Authorization: Bearer %", d.of(alnum, 40))
	put("curl -u admin:% https://host.example/", "Tr0ub4dor"+d.of(alnum, 6))
	put("curl --user admin:% https://host.example/", "Tr0ub4dor"+d.of(alnum, 6))
	put("curl 'https://api.example/v1?api_key=%&q=a'", d.of(hexes, 32))
	put("wget https://api.example/v1?access_token=%", d.of(alnum, 32))
	put("postgres://app:%@db:5432/app", "pa55-"+d.of(alnum, 8))
	put("mongodb+srv://app:%@cluster.example/app", "pa55-"+d.of(alnum, 8))
	put("redis://:%@cache:6379/0", "pa55-"+d.of(alnum, 8))
	put("amqp://guest:%@mq:5672/", "pa55-"+d.of(alnum, 8))
	put("jdbc:mysql://db/app?user=a&password=%", "pa55"+d.of(alnum, 8))
	put("AccountKey=%;EndpointSuffix=core.windows.net", base64.StdEncoding.EncodeToString([]byte(d.of(alnum, 64))))
	put("Server=tcp:x;User ID=a;Password=%;Encrypt=True", "Pa55"+d.of(alnum, 8))
	put("PGPASSWORD=% psql -h db", "pa55"+d.of(alnum, 8))
	put("mysql -u root -p% app", "pa55"+d.of(alnum, 12))
	put("sshpass -p % ssh host", "pa55"+d.of(alnum, 12))
	put("docker login -u kay -p % registry.example", "pa55"+d.of(alnum, 12))
	put("echo % | docker login --password-stdin", "dck"+"r_pat_"+d.of(alnum, 27))
	put("password: %", "pa55"+d.of(alnum, 8))
	put("spring.datasource.password=%", "pa55"+d.of(alnum, 8))
	put("client_secret: \"%\"", d.of(alnum, 32))
	put("const SECRET_KEY = '%';", d.of(alnum+"!#$^&*", 50))
	put("JWT_SECRET=%", d.of(alnum, 20))
	put("session cookie: Cookie: sid=%", d.of(alnum, 40))
	put("token=%", d.of(hexes, 40))
	put("npm config set _auth %", base64.StdEncoding.EncodeToString([]byte("kay:pa55"+d.of(alnum, 8))))
	put("\"auth\": \"%\"", base64.StdEncoding.EncodeToString([]byte("kay:pa55"+d.of(alnum, 12))))
	put("SENTRY_AUTH_TOKEN=%", "sntrys"+"_eyJ"+d.of(alnum, 80)+"_"+d.of(alnum, 43))
	put("LINEAR_API_KEY=%", "lin"+"_api_"+d.of(alnum, 40))
	put("NOTION_TOKEN=%", "secret"+"_"+d.of(alnum, 43))
	put("CLOUDFLARE_API_TOKEN=%", d.of(alnum, 40))
	put("the key is % and do not tell", d.of(smalls, 3)+d.of(capitals, 3)+d.of(digits, 3)+d.of(alnum, 31))
	put("-----BEGIN "+"OPENSSH PRIVATE KEY-----\n%\n", d.of(alnum+"+/", 70))
	put("telegram %", d.of(digits, 10)+":"+"AA"+d.of(alnum, 33))
	put("x-api-key: %", d.of(alnum, 40))
	return list
}

// TestWhatLeaks: sixty lines with secrets of every kind.
func TestWhatLeaks(t *testing.T) {
	r := newRedactor(t, Options{})
	lines := leaked()
	if len(lines) < 60 {
		t.Fatalf("%d lines", len(lines))
	}
	for line, secret := range lines {
		if out, _ := r.Text([]byte(line)); strings.Contains(string(out), secret) {
			t.Errorf("%s\nleaves as\n%s", line, out)
		}
		nested := quote(t, map[string]any{"content": line})
		if out, _ := r.JSON(nested); strings.Contains(string(out), string(quoted(t, secret))) {
			t.Errorf("in JSON %s\nleaves as\n%s", nested, out)
		}
	}
}

// alike are lines of ordinary work that look like the others.
func alike() []string {
	d := drawn{rand.New(rand.NewPCG(8, 3))}
	list := []string{
		"commit " + d.of(hexes, 40), "tree " + d.of(hexes, 64), d.of(hexes, 40) + " refs/heads/main", "index " + d.of(hexes, 7) + ".." + d.of(hexes, 7) + " 100644",
		"index " + d.of(hexes, 40) + ".." + d.of(hexes, 40) + " 100644", "md5 " + d.of(hexes, 32), "etag: \"" + d.of(hexes, 32) + "\"", "sha256:" + d.of(hexes, 64),
		"image: ghcr.io/a/b@sha256:" + d.of(hexes, 64), "container " + d.of(hexes, 12) + " started", "checkpoint 01" + d.of("0123456789abcdefghjkmnpqrstvwxyz", 24),
		"id 01" + d.of("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24), "trace " + d.of(hexes, 8) + "-" + d.of(hexes, 4) + "-4" + d.of(hexes, 3) + "-a" + d.of(hexes, 3) + "-" + d.of(hexes, 12),
		"traceparent: 00-" + d.of(hexes, 32) + "-" + d.of(hexes, 16) + "-01", "golang.org/x/net v0.57.0/go.mod h1:" + d.of(alnum+"+/", 43) + "=",
		"\"integrity\": \"sha512-" + d.of(alnum+"+/", 86) + "==\"", "checksum = \"" + d.of(hexes, 64) + "\"", "--hash=sha256:" + d.of(hexes, 64),
		"<script integrity=\"sha384-" + d.of(alnum+"+/", 64) + "\" crossorigin>", "ssh-rsa AAAAB3NzaC1yc2E" + d.of(alnum+"+/", 300) + " kay@host",
		"SHA256:" + d.of(alnum+"+/", 43), "\"tool_use_id\":\"toolu_01" + d.of(alnum, 22) + "\"", "\"id\":\"msg_01" + d.of(alnum, 22) + "\"", "\"call_id\":\"call_" + d.of(alnum, 24) + "\"",
		"req_" + d.of(hexes, 24), "pid 12345 tid 67890 at 0x" + d.of(hexes, 12), "fe80::" + d.of(hexes, 4) + ":" + d.of(hexes, 4) + ":" + d.of(hexes, 4) + ":" + d.of(hexes, 4) + "%eth0",
		"mac " + d.of(hexes, 2) + ":" + d.of(hexes, 2) + ":" + d.of(hexes, 2) + ":" + d.of(hexes, 2), "2026-12-01T04:30:00.80178305Z", "1730000000123456789", "port 5432 of 127.0.0.1",
		base64.StdEncoding.EncodeToString([]byte("hello world")), base64.StdEncoding.EncodeToString([]byte("hello, this is an ordinary sentence")), "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
		"src/main/java/com/example/payments/TokenServiceImplementationFactoryBean.java", "node_modules/.pnpm/@babel+core@7.24.0_supports-color@8.1.1/node_modules/@babel/core", "/nix/store/" + d.of("0123456789abcdfghijklmnpqrsvwxyz", 32) + "-bash-5.2/bin/bash",
		"https://github.com/a/b/blob/" + d.of(hexes, 40) + "/src/x.go#L12-L40", "https://example.com/watch?v=" + d.of(alnum, 11) + "&list=12", "https://docs.example/api_key/rotate?token=expired",
		"func TestTheTokenOfASessionIsRefreshedWhenItsTimeIsUp2(t *testing.T) {", "token := lexer.NextToken()", "secret, err := client.GetSecret(ctx, name)", "password := flag.String(\"password\", \"\", \"the password\")",
		"if token.Kind == token.IDENT && tokens[i+1].Kind == token.LPAREN {", "API_KEY=<your-api-key>", "export GITHUB_TOKEN=$GITHUB_TOKEN", "token: ${{ secrets.GITHUB_TOKEN }}", "password: {{ .Values.db.password }}", "PASSWORD=", "DB_PASSWORD=changeme",
		"AKIAIOSFODNN7EXAMPLE", "the token bucket holds 100 tokens a second", "max_tokens: 8192, input_tokens: 1234", "\"usage\":{\"input_tokens\":12345,\"cache_read_input_tokens\":67890}", "csrf_token is missing", "secretName: db-credentials",
		"passed 12, bypassed 3, passwords are hashed", "author: kay <kay@example.org>", "git@github.com:a/b.git", "ssh://git@host.example/x.git", "https://host.example/@kay/page", "mysql -u root -p app", "ssh -p 2222 host", "mkdir -p build/out", "docker run -p 8080:80 nginx", "tar -xzf a.tar.gz -C /tmp", "curl -u admin: https://host.example/",
		"user:group 1000:1000", "chown www-data:www-data /srv", "rsync -avz host:path .", "sort -u names:sorted.txt",
		"mysql -u root -p app <dump.sql", "mysqldump --port=3306 app", "az login && mkdir -p build/output", "helm install app -p values", "self._auth = requests_auth_helper_of_v2", "https://example.com/?key=introduction2&page=3",
		"{\"api_key\": \"the-name-of-the-header\"}", "secret_key: \"projects/infra/secrets/database\"", "?token=${TOKEN}&password=%s",
	}
	return list
}

// TestWhatLooksAlikeStays: lines of ordinary work that no rule may touch.
func TestWhatLooksAlikeStays(t *testing.T) {
	r := newRedactor(t, Options{})
	if n := len(alike()); n < 60 {
		t.Fatalf("%d lines", n)
	}
	for _, line := range alike() {
		if out, findings := r.Text([]byte(line)); len(findings) != 0 {
			t.Errorf("%s\nis made\n%s", line, out)
		}
	}
}
