package gitops

import (
	"path/filepath"
	"strings"
)

// networkEnvironment is what a child that may use transports sees beside the rest:
// the user's own limits on them, and nothing that waits for a person. Whatever hangs
// all the same is killed with the child's session when its context ends.
func (r *Repo) networkEnvironment() []string {
	env := []string{"SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never", "GIT_HTTP_LOW_SPEED_LIMIT=1", "GIT_HTTP_LOW_SPEED_TIME=20"}
	for _, name := range []string{"GIT_ALLOW_PROTOCOL", "GIT_PROTOCOL_FROM_USER"} {
		if value := r.env.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	if command := r.sshCommand(); command != "" {
		env = append(env, "GIT_SSH_COMMAND="+command)
	}
	return env
}

// sshCommand is the user's ssh, told never to ask and not to wait for a host for
// ever; "" where it is another program, which may not know these options.
func (r *Repo) sshCommand() string {
	command := r.env.Getenv("GIT_SSH_COMMAND")
	if command == "" {
		command, _ = r.Config("core.sshcommand")
	}
	if command == "" && r.env.Getenv("GIT_SSH") == "" {
		command = "ssh"
	}
	program, _, _ := strings.Cut(strings.TrimSpace(command), " ")
	if filepath.Base(strings.Trim(program, `"'`)) != "ssh" {
		return ""
	}
	return command + " -o BatchMode=yes -o ConnectTimeout=10"
}
