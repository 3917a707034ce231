package model

// Process names one run of a program: a process id is used again, so the time
// that it started goes with it. Started is in the system's own units (clock ticks
// since boot on Linux), "" where it cannot be known.
type Process struct {
	PID     int    `json:"pid"`
	Started string `json:"started,omitempty"`
}
