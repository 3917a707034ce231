package effects_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"overturn/model"
	"overturn/review/agents/effects"
)

func of(text string) []model.Effect {
	return effects.Of(effects.Command{Text: text, Root: "/shop", Home: "/home/dev", At: time.Unix(1, 0)})
}

func domains(list []model.Effect) string {
	var out []string
	for _, e := range list {
		out = append(out, string(e.Domain))
	}
	return strings.Join(out, " ")
}

func TestDomains(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"ls -la && cat a.txt | grep x", ""},
		{"go test ./... 2>&1 | tail -5", ""},
		{"git status; git diff HEAD", ""},
		{"git fetch origin", ""},
		{"git push --dry-run origin main", ""},
		{"git push --help", ""},
		{"git lfs push --all origin; git lfs ls-files", "publication"},
		{"git add -A && git commit -m 'x; git push' && git push origin main", "commits publication"},
		{"git -C sub -c a=b push", "publication"},
		{"git stash; git stash list", "commits"},
		{"git tag; git branch", ""},
		{"git tag v1", "commits"},
		{"git clean -fdx", "ignored"},
		{"git clean -fd", ""},
		{"npm install left-pad", "packages"},
		{"npm run build", ""},
		{"npm publish --access public", "publication"},
		{"cd web && sudo -u dev npm ci", "packages"},
		{"FOO=1 BAR='a b' pip3 install -r req.txt", "packages"},
		{"python -m pip install x", "packages"},
		{"python -m unittest", ""},
		{"go get example.org/x@latest", "packages"},
		{"go build ./...", ""},
		{"cargo add serde", "packages"},
		{"apt-get update", ""},
		{"apt-get install -y jq", "packages"},
		{"bash -lc 'npm i && git push'", "packages publication"},
		{"sh -c \"bash -c 'cargo publish'\"", "publication"},
		{"eval 'docker compose up -d'", "containers"},
		{"docker ps; docker compose ps", ""},
		{"docker run --rm -e A=b img", "containers"},
		{"docker push me/img:1", "publication"},
		{"kubectl get pods", ""},
		{"docker exec -it -e A=b web bundle exec rails db:migrate", "databases"},
		{"docker exec db psql -c 'drop table x'", "databases"},
		{"docker exec db psql -U me -c 'select 1'", "containers"},
		{"docker compose exec -T web sh -c 'cd /app && npx prisma migrate deploy'", "databases"},
		{"docker compose run --rm web python manage.py migrate", "databases"},
		{"kubectl -n x exec web -c app -- alembic upgrade head", "databases"},
		{"kubectl exec web -- ls", "containers"},
		{"docker compose push", "publication"},
		{"uv tool list; uv pip list", ""},
		{"kubectl -n x apply -f a.yml", "containers"},
		{"psql -c 'select 1'", ""},
		{"psql -c 'drop table x'", "databases"},
		{"npx prisma migrate deploy", "databases"},
		{"poetry run alembic upgrade head", "databases"},
		{"python manage.py migrate", "databases"},
		{"bundle exec rails db:migrate", "databases"},
		{"kill -9 123", "processes"},
		{"kill -0 123", ""},
		{"nohup ./server > log 2>&1 &", "processes"},
		{"python3 -m http.server 8000 & sleep 1", "processes"},
		{"systemctl status nginx", ""},
		{"sudo systemctl restart nginx", "processes"},
		{"curl -s https://example.org/x", ""},
		{"curl -XPOST https://example.org/x", "network"},
		{"curl --json '{}' https://example.org/x", "network"},
		{"curl -G -d a=b https://example.org/x", ""},
		{"wget -q https://example.org/x", ""},
		{"scp a host:/tmp/", "network"},
		{"ssh host uptime", "network"},
		{"curl -d x https://hooks.slack.com/services/T/B/xyz", "messages"},
		{"gh pr create --fill && gh issue comment 3 -b hi", "publication messages"},
		{"gh pr view 3; gh api repos/x/y", ""},
		{"ssh-keygen -t ed25519 -f k", "credentials"},
		{"docker login -u me -p hunter2", "credentials"},
		{"echo x > /etc/hosts", "outside"},
		{"echo x > /dev/null 2>/dev/null", ""},
		{"echo x > out.txt; rm -rf build ./a ../shop/b", ""},
		{"rm -rf ../other ~/x", "outside outside"},
		{"cd /tmp && touch x", "outside"},
		{"cp a.txt /tmp/b.txt", "outside"},
		{"cp /tmp/b.txt a.txt", ""},
		{"cat <<EOF > notes.md\ngit push\nnpm publish\nEOF\ngit commit -am x", "commits"},
		{"echo 'git push' \"npm publish\" # git push", ""},
		{"for f in a b; do git push $f; done", "publication"},
		{"x=$(git push origin a)", "publication"},
		{"echo \"`npm publish`\"", "publication"},
		{"if true; then npm publish; fi", "publication"},
		{"timeout 30 npm publish", "publication"},
		{"find . -name x | xargs -n 1 npm publish", "publication"},
		{"git commit -m \"$(cat <<'EOF'\nmessage; git push\nEOF\n)\"", "commits"},
		{"", ""}, {"'", ""}, {"$(", ""}, {"<<", ""}, {"bash -c", ""},
	} {
		if got := domains(of(c.command)); got != c.want {
			t.Errorf("%q: domains %q, want %q (%+v)", c.command, got, c.want, of(c.command))
		}
	}
}

func TestSecretsStayOutOfSummaries(t *testing.T) {
	const secret = "hunter2Secret"
	for _, c := range []string{
		"TOKEN=" + secret + " git push",
		"git push https://me:" + secret + "@example.org/x.git",
		"git push https://" + secret + "@example.org/x.git",
		"npm publish --otp=" + secret,
		"npm publish --token " + secret,
		"curl -X POST -H 'Authorization: Bearer " + secret + "' https://example.org",
		"curl -XPOST -u me:" + secret + " https://example.org",
		"curl -XPOST -ume:" + secret + " https://example.org",
		"curl -d '{\"password\":\"" + secret + "\"}' https://example.org",
		"curl -X DELETE 'https://example.org/?a=1&access_token=" + secret + "&b=2'",
		"curl -X POST https://hooks.slack.com/services/T0/B0/" + secret,
		"mysql -p" + secret + " -e 'drop table x'",
		"PGPASSWORD=" + secret + " psql -c 'drop table x'",
		"psql postgres://u:" + secret + "@h/db -c 'drop table x'",
		"psql -c \"alter user x with password '" + secret + "'\"",
		"docker login -u me -p " + secret,
		"docker run -e DB_PASSWORD=" + secret + " img",
		"vault write secret/x value=" + secret,
		"gh secret set X --body " + secret,
		"kubectl create secret generic x --from-literal=a=" + secret,
		"htpasswd -b f me " + "-" + secret,
		"nohup ./server --api-key " + secret + " &",
		"ssh host env PASSWORD=" + secret + " run",
		"http POST example.org password=" + secret,
		"git push https://example.org ghp_" + secret,
		"redis-cli -a " + secret + " flushall",
		"bash -c 'API_KEY=" + secret + " npm publish'",
	} {
		list := of(c)
		if len(list) == 0 {
			t.Errorf("%q: no effect", c)
		}
		for _, e := range list {
			if strings.Contains(e.Summary+e.Compensation, secret) {
				t.Errorf("%q: the effect tells: %+v", c, e)
			}
		}
	}
}

func TestFailedDetachedOutside(t *testing.T) {
	list := effects.Of(effects.Command{Text: "npm run dev", Detached: true})
	if len(list) != 1 || list[0].Domain != model.DomainProcesses || list[0].Summary != "in the background: npm run dev" {
		t.Errorf("detached: %+v", list)
	}
	list = effects.Of(effects.Command{Text: "git push", Failed: true})
	if len(list) != 1 || list[0].Summary != "git push (failed)" || list[0].Reversible != model.ReversibleNo {
		t.Errorf("failed: %+v", list)
	}
	if e := effects.Outside("/etc/a\nb", time.Time{}); e.Summary != "wrote /etc/a b" || e.Domain != model.DomainOutside {
		t.Errorf("outside: %+v", e)
	}
}

func FuzzOf(f *testing.F) {
	for _, s := range []string{"git push && npm i", "bash -c 'sh -c \"git push\"'", "a <<E\nx\nE\n$(b `c`)", "sudo -u", "cat <<-'X' > y\n", "((((", "curl -d@x -XPOST y", "\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list := of(text)
		if len(list) > effects.MaxEffects {
			t.Fatalf("%d effects", len(list))
		}
		for _, e := range list {
			if len(e.Summary) > effects.MaxSummary+len(" (failed)") || strings.ContainsAny(e.Summary, "\n\r\t") || !utf8.ValidString(e.Summary) {
				t.Fatalf("summary %q", e.Summary)
			}
		}
	})
}

func TestLineHoldsNoSecrets(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"go test ./...":              "go test ./...",
		"cd x && make; make install": "cd x; make; make install",
		"TOKEN=hunter2 git push https://me:hunter2@example.invalid/x": "git push https://***@example.invalid/x",
		"sh -c 'mysql -phunter2 -e \"drop\"'":                         "mysql -p*** -e drop",
		"cat <<EOF > f\nhunter2\nEOF":                                 "cat",
		"curl -H 'Authorization: Bearer hunter2' x":                   "curl -H *** x",
		"echo $(cat --password hunter2)":                              "",
	} {
		got := effects.Line(text)
		if strings.Contains(got, "hunter2") || want != "" && got != want {
			t.Errorf("Line(%q) is %q, want %q", text, got, want)
		}
	}
}
