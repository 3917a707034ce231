package effects

import (
	"strings"

	"overturn/model"
)

func databases(program string, args []string) verdict {
	words := strings.Join(args, " ")
	list := operands(args)
	undo := maybe(model.DomainDatabases, migrationHint)
	switch program {
	case "psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "mongosh", "mongo", "redis-cli", "cqlsh", "clickhouse-client", "duckdb", "turso":
		if onlyQueries(program, args, words) {
			return verdict{}
		}
		return undo
	case "createdb", "dropdb", "pg_restore", "mongorestore", "mysqladmin", "mysqlimport", "initdb", "createuser", "dropuser":
		return undo
	case "alembic", "goose", "flyway", "liquibase", "dbmate", "migrate", "atlas", "diesel", "sqlx", "knex", "sequelize", "prisma", "typeorm", "drizzle-kit", "sequelize-cli":
		if migrates(words) {
			return undo
		}
	case "npx", "pnpx", "bunx", "yarn", "pnpm", "npm", "poetry", "uv", "bundle", "bin", "pipenv":
		if i := runner(list); i >= 0 && i < len(list) && list[i] != program {
			return databases(baseName(list[i]), list[i+1:])
		}
	case "rails", "rake", "php", "artisan", "mix", "python", "python3", "manage.py", "flask", "dotnet":
		if strings.Contains(words, "db:") && !strings.Contains(words, "db:migrate:status") || strings.Contains(words, "ecto.") || strings.Contains(words, "ef database update") ||
			strings.Contains(words, "artisan migrate") || program == "flask" && at(list, 0) == "db" ||
			(strings.Contains(words, "manage.py") || program == "manage.py") && (oneOf("migrate", words) || oneOf("flush", words) || oneOf("loaddata", words)) {
			return undo
		}
	}
	return verdict{}
}

// runner is the index of the program that npx, "poetry run" and their kin run.
func runner(list []string) int {
	if oneOf(at(list, 0), "run exec dlx x") {
		return 1
	}
	return 0
}

func baseName(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }

func migrates(words string) bool {
	for _, verb := range strings.Fields("upgrade downgrade up down migrate run apply push reset deploy rollback redo undo clean drop update create seed baseline repair revert setup db:migrate db:seed migrate:latest migrate:up migrate:down migrate:rollback") {
		if oneOf(verb, words) {
			return !strings.Contains(words, "status")
		}
	}
	return strings.Contains(words, "migration:run") || strings.Contains(words, "migration:revert")
}

// onlyQueries tells a client that was given statements which only read.
func onlyQueries(program string, args []string, words string) bool {
	if hasFlag(args, "--version", "--help", "-l", "--list", "-V") {
		return true
	}
	text := strings.ToLower(words)
	if program == "redis-cli" || program == "mongosh" || program == "mongo" {
		return oneOf(strings.ToLower(at(operands(args, "-h", "-p", "-n", "-a", "-u"), 0)), "get ping info keys scan ttl type exists llen hgetall")
	}
	if !strings.Contains(text, "select") && !strings.Contains(text, "show ") && !strings.Contains(text, "explain") && !strings.Contains(text, ".schema") && !strings.Contains(text, ".tables") && !strings.Contains(text, `\d`) {
		return false
	}
	for _, w := range []string{"insert", "update", "delete", "drop", "alter", "create", "truncate", "grant", "revoke", "merge ", "replace", "copy ", "call ", "vacuum", "set "} {
		if strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func processes(program string, args []string) verdict {
	list := operands(args, "-s", "-n", "-t", "-L")
	verb := at(list, 0)
	stop := "stop what was started"
	switch program {
	case "kill", "pkill", "killall", "taskkill", "xkill":
		if hasFlag(args, "-l", "-0", "-L") {
			return verdict{}
		}
		return no(model.DomainProcesses, "start the process again")
	case "systemctl", "service", "launchctl", "supervisorctl", "pm2", "rc-service", "sv":
		words := strings.Join(list, " ")
		for _, w := range strings.Fields("start stop restart reload enable disable mask unmask load unload bootstrap bootout kickstart delete kill daemon-reload") {
			if oneOf(w, words) {
				return maybe(model.DomainProcesses, "set the service back to its former state")
			}
		}
	case "tmux", "screen":
		if oneOf(verb, "new new-session kill-session kill-server send-keys") || hasFlag(args, "-dm", "-dmS", "-d") {
			return yes(model.DomainProcesses, stop)
		}
	case "crontab":
		if !hasFlag(args, "-l") {
			return maybe(model.DomainProcesses, "put the former table back")
		}
	case "at", "batch", "daemonize", "start-stop-daemon":
		return yes(model.DomainProcesses, stop)
	case "reboot", "shutdown", "poweroff", "halt":
		return no(model.DomainProcesses, "")
	}
	return verdict{}
}

func network(program string, args []string) verdict {
	words := strings.Join(args, " ")
	list := operands(args)
	undo := maybe(model.DomainNetwork, "undo the request by hand")
	switch program {
	case "curl":
		if !writes(args, "-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--json", "-F", "--form", "-T", "--upload-file") {
			return verdict{}
		}
	case "wget":
		if !hasFlag(args, "--post-data", "--post-file", "--body-data", "--body-file") && !writesMethod(words) {
			return verdict{}
		}
	case "http", "https", "xh":
		if !oneOf(strings.ToUpper(at(list, 0)), "POST PUT PATCH DELETE") {
			return verdict{}
		}
	case "ssh", "sftp", "ftp", "mosh", "telnet", "nc", "ncat":
		if len(list) == 0 {
			return verdict{}
		}
		return maybe(model.DomainNetwork, "undo it on the other machine by hand")
	case "scp", "rsync":
		if last := at(list, len(list)-1); len(list) < 2 || !strings.Contains(last, ":") {
			return verdict{}
		}
		return maybe(model.DomainNetwork, "undo it on the other machine by hand")
	case "aws", "gcloud", "az", "gsutil", "s3cmd", "rclone", "doctl", "linode-cli":
		for _, w := range strings.FieldsFunc(words, func(r rune) bool { return r == ' ' || r == '-' }) {
			if oneOf(w, "create delete put update cp mv rm sync run start stop terminate deploy set add remove attach detach invoke publish send modify upload copy move purge mb rb") {
				return undo
			}
		}
		return verdict{}
	case "mail", "mailx", "sendmail", "mutt", "msmtp", "swaks", "slack", "wall", "write":
		return no(model.DomainMessages, "send a correction")
	default:
		return verdict{}
	}
	for _, host := range []string{"hooks.slack.com", "slack.com/api/chat", "api.telegram.org", "discord.com/api/webhooks", "api.sendgrid.com", "api.mailgun.net", "api.twilio.com", "webhook.office.com"} {
		if strings.Contains(words, host) {
			return no(model.DomainMessages, "send a correction")
		}
	}
	return undo
}

// writes tells a request that sends something or names a writing method.
func writes(args []string, flags ...string) bool {
	if hasFlag(args, "-G", "--get", "-I", "--head") {
		return false
	}
	for _, a := range args {
		if len(a) > 2 && (strings.HasPrefix(a, "-d") || strings.HasPrefix(a, "-F") || strings.HasPrefix(a, "-T")) && a[1] != '-' {
			return true
		}
	}
	return hasFlag(args, flags...) || writesMethod(strings.Join(args, " "))
}

func writesMethod(words string) bool {
	for _, flag := range []string{"-X ", "-X", "--request ", "--request=", "--method=", "--method "} {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
			if strings.Contains(words, flag+method) {
				return true
			}
		}
	}
	return false
}

func credentials(program string, args []string) verdict {
	list := operands(args)
	verb, next := at(list, 0), at(list, 1)
	hit := false
	switch program {
	case "ssh-keygen", "ssh-add", "ssh-copy-id", "passwd", "chpasswd", "htpasswd", "useradd", "usermod", "adduser", "userdel", "visudo", "keytool", "certbot", "mkcert", "kinit", "secret-tool":
		hit = true
	case "gpg", "gpg2":
		hit = hasFlag(args, "--gen-key", "--full-generate-key", "--quick-generate-key", "--import", "--delete-keys", "--delete-secret-keys", "--edit-key")
	case "npm", "pnpm", "yarn":
		hit = oneOf(verb, "login logout adduser token") || verb == "config" && strings.Contains(strings.Join(args, " "), "uthToken")
	case "docker", "podman", "az", "vercel", "netlify", "heroku", "fly", "wrangler", "cargo", "huggingface-cli", "firebase", "helm":
		hit = oneOf(verb, "login logout") || verb == "registry" && next == "login"
	case "aws":
		hit = oneOf(verb, "configure sso iam")
	case "gcloud":
		hit = verb == "auth"
	case "vault", "pass", "op", "bw", "security", "chamber", "doppler":
		hit = oneOf(verb, "write kv put delete login insert generate edit rm item create add-generic-password add-internet-password delete-generic-password set-key-partition-list secrets token auth policy")
	}
	if !hit {
		return verdict{}
	}
	return verdict{domain: model.DomainCredentials, reversible: model.ReversibleUnknown, compensation: "revoke or change it by hand", bare: 3}
}
