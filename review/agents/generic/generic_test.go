package generic_test

import (
	"testing"
	"time"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/agenttest"
	"overturn/review/agents/generic"
)

func TestContract(t *testing.T) { agenttest.Parser(t, generic.New(), true) }

func TestParse(t *testing.T) {
	for _, c := range []struct {
		raw, name, want string
		fails           bool
	}{
		{raw: `{"event":"turn-end","thread":"t"}`, want: "turn-end turn-end state=completed"},
		{raw: `{"event":"turn-end","thread":"t","state":"cancelled"}`, want: "turn-end turn-end state=cancelled"},
		{raw: `{"thread":"t"}`, name: "turn-start", want: "turn-start turn-start"},
		{raw: `{"event":"post-tool","thread":"t","tool":"edit","paths":["a","b"],"command":"x","failed":true}`, want: "post-tool post-tool tool=edit writes=a,b command=x failed"},
		{raw: `{"event":"post-tool","thread":"t","paths":"a"}`, want: "post-tool post-tool writes=a"},
		{raw: `{"event":"dance","thread":"t"}`, want: "dance ignored", fails: true},
		{raw: `{"thread":"t"}`, want: " ignored", fails: true},
		{raw: `{"event":"turn-end"}`, want: "turn-end turn-end state=completed", fails: true},
		{raw: `{"event":"turn-end","thread":"t","state":"odd"}`, want: "turn-end turn-end state=unknown", fails: true},
		{raw: `{"event":"turn-start","thread":"t","at":"yesterday"}`, want: "turn-start turn-start", fails: true},
	} {
		e, err := generic.New().Parse(agents.Payload{Raw: []byte(c.raw), Name: c.name})
		if agenttest.Line(e) != c.want || (err != nil) != c.fails {
			t.Errorf("%s: %q, error %v", c.raw, agenttest.Line(e), err)
		}
	}
}

func TestTimeAndFlags(t *testing.T) {
	raw := `{"event":"turn-start","thread":"t","at":"2026-11-30T12:00:00+02:00","reports_tools":true}`
	e, err := generic.New().Parse(agents.Payload{Raw: []byte(raw)})
	if err != nil || !e.At.Equal(time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)) || !e.ReportsTools {
		t.Errorf("%+v, %v", e, err)
	}
	e, err = generic.New().Parse(agents.Payload{Raw: []byte(`{"event":"turn-end","thread":"t","background":true}`)})
	if err != nil || !e.Background || e.State != model.TurnCompleted {
		t.Errorf("%+v, %v", e, err)
	}
}

func FuzzParse(f *testing.F) { agenttest.Fuzz(f, generic.New()) }
