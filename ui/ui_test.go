package ui_test

import (
	"testing"

	"overturn/ui/uitest"
)

func TestOpensOnTheLatestTurn(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 160, 40)
	r.Want("7 R ready", "start of turn 7 → end of turn 7", "README.md")
	r.Press("j", "j", "j", "<enter>")
	r.Want("client.go  modified")
	r.Absent("reading internal")
}
