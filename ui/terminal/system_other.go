//go:build !unix

package terminal

import (
	"os"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
)

const (
	supported = false
	resized   = syscall.Signal(-1)
	continued = syscall.Signal(-2)
)

// sane has nothing to do where no terminal is taken.
func sane(*term.State) {}

func die(os.Signal) { os.Exit(1) }

// Stopper is nil: there are no stopped processes here.
func Stopper() tea.ExecCommand { return nil }

func watched() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }
