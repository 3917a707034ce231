package effects_test

import (
	"strings"
	"testing"
	"time"

	"overturn/model"
	"overturn/review/agents/effects"
)

func TestUnclassified(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		// known to stay on the files, or to look
		{"ls -la && cat a.txt | grep x", ""},
		{"cd web && go test ./... 2>&1 | tail -5", ""},
		{"go build ./... && go vet ./...", ""},
		{"npx tsc --noEmit; npx eslint .", ""},
		{"node_modules/.bin/tsc", ""},
		{"/usr/bin/sed -i s/a/b/ x", ""},
		{"venv/bin/pytest -q", ""},
		{"python -m pytest", ""},
		{"git diff; git fetch origin", ""},
		{"for f in *.go; do gofmt -l $f; done", ""},
		{"if [ -f x ]; then rm x; fi", ""},
		{"source .venv/bin/activate && pytest", ""},
		{"npm test", ""},
		{"A=1", ""}, {"", ""}, {"'", ""}, {"> out.txt", ""},
		// named with a domain: not unclassified
		{"git push origin main", ""},
		{"npm install && npm publish", ""},
		{"psql -c 'drop table x'", ""},
		{"./server &", ""},
		{"curl https://example.org", ""},
		// nobody knows
		{"./deploy.sh prod", "deploy.sh prod"},
		{"./cat x", "cat x"},
		{"make release", "make release"},
		{"npm run build", "npm run build"},
		{"npx some-tool --yes", "npx some-tool --yes"},
		{"node x.js; node x.js", "node x.js"},
		{"python - <<'E'\nimport os\nE", "python -"},
		{"python3 -c 'print(1)'", "python3 -c print(1)"},
		{"go run ./cmd/x", "go run ./cmd/x"},
		{"go generate ./...", "go generate ./..."},
		{"cargo run", "cargo run"},
		{"source ./env.sh", "source ./env.sh"},
		{"$CMD now", "$CMD now"},
		{"frobnicate --token hunter2 x", "frobnicate --token *** x"},
		{"TOKEN=hunter2 ./x.sh", "x.sh"},
		{"sudo -u dev ./x.sh && timeout 5 ./y.sh", "x.sh; y.sh"},
		{"bash -c './x.sh; ls'", "x.sh"},
		{"bash ./x.sh", "bash ./x.sh"},
		{"make -j4 && git push && ./after.sh", "make -j4; after.sh"},
		{"find . -name x -exec ./x.sh {} \\;", "x.sh {}"},
		{"find . -name '*.go' -exec gofmt -w {} +", ""},
		{"echo $(./secret.sh)", "secret.sh"},
		{"./x.sh --dry-run", ""},
	} {
		got := effects.Unclassified(effects.Command{Text: c.command, Root: "/shop", Home: "/home/dev"})
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.command, got, c.want)
		}
	}
	if e := effects.OfUnclassified("./x.sh", false); e.Domain != model.DomainOther || e.Reversible != model.ReversibleUnknown || e.Summary != "unclassified command: ./x.sh" {
		t.Errorf("%+v", e)
	}
}

// What makes up for an effect names the remote, the lock file and the command.
func TestHints(t *testing.T) {
	for command, want := range map[string]string{
		"git push origin main":                  "git revert the commits that were pushed to origin main and push that",
		"git push":                              "git revert the commits that were pushed and push that",
		"git push origin --delete old":          "push what was deleted to origin old again",
		"git push origin :old":                  "push what was deleted",
		"git push -f origin main":               "push what was there before",
		"git push origin +main":                 "push what was there before",
		"git branch -D old":                     "git fsck --lost-found",
		"git lfs push origin main":              "removed on the server",
		"npm install left-pad":                  "once package-lock.json is back as it was: npm ci",
		"npm install -g left-pad":               "uninstall it by hand",
		"pnpm add x":                            "pnpm install --frozen-lockfile",
		"uv add x":                              "once uv.lock",
		"poetry add x":                          "once poetry.lock",
		"pip install x":                         "pip keeps no lock file",
		"go get example.org/x":                  "once go.mod and go.sum",
		"cargo add serde":                       "once Cargo.lock",
		"bundle install":                        "once Gemfile.lock",
		"composer require x":                    "once composer.lock",
		"apt-get install jq":                    "history.log",
		"brew install jq":                       "brew uninstall",
		"npx prisma migrate deploy":             "a forward correction may be safer",
		"npm publish":                           "publish a corrected version",
		"git config --global user.name x":       "git config --global",
		"git config core.autocrlf true":         "git config",
		"git remote add up https://example.org": "git remote -v",
		"find . -exec npm publish \\;":          "publish a corrected version",
		"go install example.org/x@v1":           "GOBIN",
		"cargo install ripgrep":                 "cargo uninstall",
		"gem install rails":                     "gem uninstall",
		"uv pip install x":                      "uv pip uninstall what is new",
		"uv tool install ruff":                  "uv tool uninstall",
		"yarn global add x":                     "yarn global remove",
		"composer global require x":             "composer global remove",
		"poetry self add x":                     "poetry self remove",
		"docker rmi img":                        "pull the image again",
		"docker image prune -a":                 "pull the image again",
		"docker build -t img .":                 "docker rmi",
		"docker rm -f web":                      "what was written in it is gone",
		"docker exec -it web touch /x":          "in the container",
		"docker stop web":                       "docker start",
		"docker run --rm img":                   "stop and remove what was started",
		"docker volume rm data":                 "restore it from a backup",
		"docker system prune -f":                "restore it from a backup",
		"docker compose up -d":                  "docker compose down",
		"docker compose down":                   "docker compose up",
		"docker compose down -v":                "restore it from a backup",
		"podman container rm web":               "make the container again",
		"helm install web ./chart":              "helm uninstall",
		"kubectl exec web -- touch /x":          "in the pod",
		"vagrant destroy -f":                    "make the machine again",
		"rm -rf .git":                           "clone it again",
		"rm -rf /shop":                          "clone it again",
		"mv .git /shop/git.old":                 "clone it again",
		"rm -rf lib/x/.git":                     "what only that repository held",
		"rm .git/index.lock":                    "files of git's own",
		"echo x > .git/hooks/pre-commit":        "files of git's own",
		"cp hook .git/hooks/pre-commit":         "files of git's own",
	} {
		list := of(command)
		if len(list) != 1 || !strings.Contains(list[0].Compensation, want) {
			t.Errorf("%q: %+v, want %q", command, list, want)
		}
	}
	for _, command := range []string{"rm -rf .github/x", "cp .git/config /shop/c", "docker compose ps", "docker image ls", "git config user.name", "git config --get x", "git config --list", "git config get x", "git remote -v", "git remote", "git remote show origin", "git config -f .gitmodules a b"} {
		if list := of(command); len(list) != 0 {
			t.Errorf("%q: %+v", command, list)
		}
	}
	for command, want := range map[string]model.Domain{"git config --global a b": model.DomainOutside, "git config a b": model.DomainOther, "git notes add": model.DomainCommits} {
		if list := of(command); len(list) != 1 || list[0].Domain != want {
			t.Errorf("%q: %+v", command, list)
		}
	}
}

func FuzzUnclassified(f *testing.F) {
	for _, s := range []string{"./x.sh", "find . -exec 'a b' {} +", "bash -c \"./x 'y'\"", "$(", "sudo", "\x00/bin/", "/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := effects.Unclassified(effects.Command{Text: text, Root: "/shop", At: time.Unix(1, 0)})
		if len(got) > effects.MaxSummary || strings.ContainsAny(got, "\n\r\t") {
			t.Fatalf("%q", got)
		}
	})
}
