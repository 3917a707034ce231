package durable

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// failVariable names a fail point and what happens there; it is for tests and the
// trial alone:
//
//	NAME[:N]            the process is killed when it passes NAME (for the Nth time)
//	NAME[:N]=wait:FILE  it makes FILE.here and waits until FILE is there
//	list:FILE           every name that is passed becomes a line of FILE
const failVariable = "OVERTURN_FAIL_POINT"

// waitPoll is how often a process that waits at a point looks for its file.
const waitPoll = 200 * time.Microsecond

// Point is a place where a test lets the process die or wait. One stands beside
// every call that changes what is on the disk (the test of this room that reads the
// source holds that), between it and the next, so that a kill at each point in turn
// meets every state that a power cut or a kill can leave between two calls. It costs
// one look into the environment; passes are counted down in the variable itself.
func Point(name string) {
	wanted := os.Getenv(failVariable)
	if wanted == "" {
		return
	}
	if file, ok := strings.CutPrefix(wanted, "list:"); ok {
		note(file, name)
		return
	}
	point, action, _ := strings.Cut(wanted, "=")
	at, count, counted := strings.Cut(point, ":")
	if at != name {
		return
	}
	if n, err := strconv.Atoi(count); counted && err == nil && n > 1 {
		os.Setenv(failVariable, at+":"+strconv.Itoa(n-1)+strings.TrimPrefix(wanted, point))
		return
	}
	if file, ok := strings.CutPrefix(action, "wait:"); ok {
		os.Unsetenv(failVariable)
		waitFor(file)
		return
	}
	killSelf()
	select {} // the signal is on its way
}

// note adds a line to the list of passes. Whoever made the list reads it; a failure
// leaves it shorter, which they see.
func note(file, name string) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	_, _ = f.WriteString(name + "\n")
	_ = f.Close()
}

// waitFor says that the point is reached, and waits for leave to go on.
func waitFor(file string) {
	if os.WriteFile(file+".here", nil, 0o600) != nil {
		return
	}
	for {
		if _, err := os.Lstat(file); err == nil {
			return
		}
		time.Sleep(waitPoll)
	}
}
