package effects

import (
	"strings"

	"overturn/model"
)

func containers(program string, args []string) verdict {
	list := operands(args, strings.Fields(valuedFlags)...)
	verb, next := at(list, 0), at(list, 1)
	switch program {
	case "docker", "podman", "nerdctl":
		return ofDocker(program, args, list)
	case "docker-compose", "podman-compose":
		return ofCompose(program, args, list, 2)
	case "kubectl", "oc":
		if oneOf(verb, "create") && next == "secret" {
			return verdict{domain: model.DomainCredentials, reversible: model.ReversibleUnknown, bare: 4}
		}
		if verb == "exec" {
			return inside(args, 2, "undo by hand what it did in the pod")
		}
		if oneOf(verb, "apply delete create patch edit replace scale set label annotate expose run cp drain cordon uncordon taint autoscale") || verb == "rollout" && !oneOf(next, "status history") {
			return maybe(model.DomainContainers, "apply the former manifest")
		}
	case "helm":
		switch verb {
		case "install":
			return maybe(model.DomainContainers, "helm uninstall it; what it stored stays")
		case "uninstall", "delete":
			return maybe(model.DomainContainers, "helm install it again; what it stored may be gone")
		case "upgrade", "rollback":
			return maybe(model.DomainContainers, "helm rollback")
		}
	case "vagrant", "minikube", "kind", "k3d", "multipass", "lxc":
		switch {
		case oneOf(verb, "destroy delete"):
			return no(model.DomainContainers, "make the machine again; what was stored in it is gone")
		case oneOf(verb, "up start stop halt create launch reload provision"):
			return maybe(model.DomainContainers, "bring the machine back to its former state by hand")
		}
	}
	return verdict{}
}

// ofDocker is what docker and its kin do: the hint depends on what was made or removed.
func ofDocker(program string, args, list []string) verdict {
	verb, next := at(list, 0), at(list, 1)
	switch verb {
	case "compose":
		return ofCompose(program+" compose", args, list[1:], 3)
	case "container", "image", "volume", "network", "system", "builder", "buildx":
		if !oneOf(next, "ls ps logs inspect config top images list version df events info history stats port diff du") {
			return ofObject(program, verb, next, args, 3)
		}
	case "stack", "swarm", "service", "node", "secret":
		if !oneOf(next, "ls ps logs inspect config services") {
			return maybe(model.DomainContainers, "bring the "+verb+" back to its former state by hand")
		}
	case "pull", "build", "tag", "load", "import", "commit", "rmi":
		return ofObject(program, "image", verb, args, 2)
	case "run", "create", "start", "restart", "unpause", "stop", "kill", "pause", "rm", "exec", "cp", "rename", "update":
		return ofObject(program, "container", verb, args, 2)
	}
	return verdict{}
}

// ofObject is what VERB does to an object of docker; a command that it runs in a
// container is behind operand n.
func ofObject(program, object, verb string, args []string, n int) verdict {
	removes := oneOf(verb, "rm remove rmi prune")
	switch {
	case object == "image" && removes, oneOf(object, "builder buildx") && removes:
		return maybe(model.DomainContainers, "pull the image again, or build it")
	case oneOf(object, "image builder buildx"):
		return yes(model.DomainContainers, program+" rmi the image; one that had its tag before keeps its id alone")
	case oneOf(object, "volume system") && removes:
		return no(model.DomainContainers, "what was stored in it is gone: restore it from a backup")
	case object == "container" && removes:
		return no(model.DomainContainers, "make the container again; what was written in it is gone, what lies in volumes stays")
	case object == "container" && verb == "exec":
		return inside(args, n, "undo by hand what it did in the container")
	case object == "container" && oneOf(verb, "stop kill pause"):
		return maybe(model.DomainContainers, program+" start what was stopped; one that was run with --rm is gone")
	case object == "container" && oneOf(verb, "run create start restart unpause"):
		return maybe(model.DomainContainers, "stop and remove what was started; images and volumes stay")
	}
	return maybe(model.DomainContainers, "bring the "+object+" back to its former state by hand")
}

// ofCompose is what VERB does to all that a project runs; a command that it runs in a
// container is behind operand n.
func ofCompose(program string, args, list []string, n int) verdict {
	switch verb := at(list, 0); {
	case verb == "", oneOf(verb, "ps logs config top images version ls port events stats convert"):
		return verdict{}
	case verb == "exec", verb == "run":
		return inside(args, n, "undo by hand what it did in the container")
	case verb == "down" && hasFlag(args, "-v", "--volumes"), verb == "rm" && hasFlag(args, "-v", "-fv", "-vf"):
		return no(model.DomainContainers, "what was stored in the volumes is gone: restore it from a backup")
	case oneOf(verb, "down stop kill rm pause"):
		return maybe(model.DomainContainers, program+" up starts it again; what was written in the containers is gone, volumes stay")
	case oneOf(verb, "pull build"):
		return yes(model.DomainContainers, "remove the images that are new")
	case verb == "push":
		return no(model.DomainPublication, "push the former image under the same tag")
	default:
		return maybe(model.DomainContainers, program+" down removes what was started; images and volumes stay")
	}
}

// inside is what a command does that runs in a container, behind operand n of args: a
// migration is one there too.
func inside(args []string, n int, otherwise string) verdict {
	words := behind(args, n)
	for depth := 0; depth < maxDepth; depth++ {
		program, rest, texts, _ := unwrap(words)
		if program != "" {
			if v := databases(program, rest); v.domain != "" {
				return v
			}
			break
		}
		if len(texts) == 0 {
			break
		}
		words = nil
		for _, s := range split(texts[0]) {
			if program, rest, _, _ := unwrap(s.words); databases(program, rest).domain != "" || len(words) == 0 {
				words = s.words
			}
		}
	}
	return maybe(model.DomainContainers, otherwise)
}

// behind are the words that follow operand n, their flags with them; n counts from one.
func behind(args []string, n int) []string {
	for i, a := range args {
		if a == "--" {
			return args[i+1:]
		}
	}
	for i := 0; i < len(args); i++ {
		switch {
		case oneOf(args[i], valuedFlags):
			i++
		case !strings.HasPrefix(args[i], "-"):
			n--
		}
		if n == 0 {
			return args[i+1:]
		}
	}
	return nil
}

// valuedFlags take the next word with them, up to the command that runs inside.
const valuedFlags = "-n --namespace --context -f --file -H --host -p --project-name -u --user -w --workdir -e --env -c --container --env-file --name -v --volume --entrypoint"
