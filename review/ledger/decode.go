package ledger

import (
	"time"

	"overturn/model"
	"overturn/model/wire"
)

// The inverses of what encode.go writes, for wire.Into.

func readTurnFile(r *wire.Reader, t *turnFile) {
	r.Fields(func(key string) {
		switch key {
		case "schema":
			t.Schema = r.Text()
		case "turn":
			t.Turn.Read(r)
		case "process":
			readProcess(r, &t.Process)
		case "reports_tools":
			t.ReportsTools = r.Bool()
		case "aside":
			t.Aside = r.Bool()
		case "beside":
			t.Beside = r.Text()
		case "start_perm":
			t.StartPerm = wire.ReadList(r, model.ReadNoted)
		case "start_raw":
			t.StartRaw = r.Bool()
		case "record_waits":
			t.RecordWaits = r.Text()
		case "apart":
			t.Apart = r.Bool()
		case "below":
			t.Below = r.Bool()
		case "sum":
			t.Sum = readSum(r)
		case "transcript":
			t.Transcript = readTranscriptMark(r)
		case "pruned":
			t.Pruned = readMoment(r)
		case "conversation":
			t.Conversation = r.Text()
		default:
			r.Fail()
		}
	})
}

func readProcess(r *wire.Reader, p *model.Process) {
	r.Fields(func(key string) {
		switch key {
		case "pid":
			p.PID = int(r.Int())
		case "started":
			p.Started = r.Text()
		default:
			r.Fail()
		}
	})
}

func readSum(r *wire.Reader) *model.FileSum {
	s := new(model.FileSum)
	r.Fields(func(key string) {
		switch key {
		case "files":
			s.Files = int(r.Int())
		case "additions":
			s.Additions = int(r.Int())
		case "deletions":
			s.Deletions = int(r.Int())
		case "uncounted":
			s.Uncounted = int(r.Int())
		default:
			r.Fail()
		}
	})
	return s
}

func readTranscriptMark(r *wire.Reader) *transcriptMark {
	m := new(transcriptMark)
	r.Fields(func(key string) {
		switch key {
		case "path":
			m.Path = r.Text()
		case "from":
			m.From = r.Int()
		default:
			r.Fail()
		}
	})
	return m
}

func readMoment(r *wire.Reader) *time.Time {
	t := r.Time()
	return &t
}

func readLists(r *wire.Reader, l *turnLists) {
	r.Fields(func(key string) {
		switch key {
		case "files":
			l.Files = wire.ReadList(r, model.ReadFileChange)
		case "left_out":
			l.LeftOut = wire.ReadList(r, model.ReadNoted)
		case "start":
			l.Start = new(model.Inventory)
			l.Start.Read(r)
		case "end":
			l.End = new(model.Inventory)
			l.End.Read(r)
		default:
			r.Fail()
		}
	})
}

func readStateFile(r *wire.Reader, s *stateFile) {
	r.Fields(func(key string) {
		switch key {
		case "thread":
			s.Thread = model.ThreadID(r.Text())
		case "turn":
			s.Turn = int(r.Int())
		case "started_at":
			s.StartedAt = r.Time()
		case "reverted":
			s.Reverted = r.Bool()
		default:
			r.Fail()
		}
	})
}

func readEvidenceLine(r *wire.Reader, l *evidenceLine) {
	r.Fields(func(key string) {
		switch key {
		case "kind":
			l.Kind = r.Text()
		case "at":
			l.At = r.Time()
		case "captured":
			l.Captured = readMoment(r)
		case "phase":
			l.Phase = Phase(r.Text())
		case "tool":
			l.Tool = r.Text()
		case "call":
			l.Call = r.Text()
		case "paths":
			l.Paths = wire.ReadList(r, func(r *wire.Reader, p *model.Path) { *p = model.Path(r.Text()) })
		case "command":
			l.Command = r.Text()
		case "failed":
			l.Failed = r.Bool()
		case "tree":
			l.Tree = r.Text()
		case "late":
			l.Late = r.Bool()
		case "thread":
			l.Thread = model.ThreadID(r.Text())
		case "turn":
			l.Turn = int(r.Int())
		case "effect":
			l.Effect = new(model.Effect)
			model.ReadEffect(r, l.Effect)
		case "text":
			l.Text = r.Text()
		case "reason":
			l.Reason = r.Text()
		default:
			r.Fail()
		}
	})
}
