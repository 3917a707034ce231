package copilot_test

import (
	"testing"

	"overturn/review/agents/agenttest"
	"overturn/review/agents/copilot"
)

func TestContract(t *testing.T) {
	agenttest.Parser(t, copilot.New(), false)
	agenttest.OwnFile(t, copilot.New())
}

func FuzzParse(f *testing.F) { agenttest.Fuzz(f, copilot.New()) }
