package ledger_test

import (
	"os"
	"testing"

	"overturn/model"
	"overturn/review/ledger"
)

func TestProcess(t *testing.T) {
	me := ledger.FindAgent(os.Getpid())
	want(t, "this process", me.PID, os.Getpid())
	want(t, "alive", ledger.Gone(me), false)
	reused := me
	reused.Started = "1"
	want(t, "id used again", ledger.Gone(reused), true)
	want(t, "never was", ledger.Gone(model.Process{PID: 1 << 22, Started: "5"}), true)
	want(t, "not known", ledger.Gone(model.Process{}), false)
}
