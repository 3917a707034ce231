package durable

import (
	"os"
	"strconv"
	"strings"
)

// failVariable names a fail point: "NAME" or "NAME:N" for the Nth time it is passed.
const failVariable = "OVERTURN_FAIL_POINT"

// Point is a place where a test lets the process die: when the environment names
// it, the process gets SIGKILL there, as by a power cut. Otherwise it costs one
// look into the environment. Passes are counted down in the variable itself.
func Point(name string) {
	wanted := os.Getenv(failVariable)
	if wanted == "" {
		return
	}
	at, count, counted := strings.Cut(wanted, ":")
	if at != name {
		return
	}
	if n, err := strconv.Atoi(count); counted && err == nil && n > 1 {
		os.Setenv(failVariable, at+":"+strconv.Itoa(n-1))
		return
	}
	killSelf()
	select {} // the signal is on its way
}
