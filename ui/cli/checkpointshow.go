package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"overturn/gitops/checkpoint"
	"overturn/model"
)

// recordWire is a record as `checkpoint show` tells it. Evidence are the lines of
// evidence.jsonl; the transcript is in the agent's own form.
type recordWire struct {
	Format      string                  `json:"format"`
	Backend     string                  `json:"backend"`
	Fallback    string                  `json:"fallback,omitempty"`
	Turn        model.Turn              `json:"turn"`
	Evidence    []json.RawMessage       `json:"evidence"`
	Transcript  string                  `json:"transcript"`
	Attribution *checkpoint.Attribution `json:"attribution"`
	Snapshots   snapshotsWire           `json:"snapshots"`
	Reverted    bool                    `json:"reverted,omitempty"` // the turn is out of the thread: a revert took it back
}

// snapshotsWire are the trees that go where the record goes.
type snapshotsWire struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

func newCheckpointShow(a *app) *cobra.Command {
	var fetch bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one record; ID may be a prefix that is unique",
		Args:  exactlyOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			record, err := e.record(cmd.Context(), args[0], fetch)
			if err != nil {
				return err
			}
			if record.Fallback != "" {
				a.say("read from %s, and perhaps not the newest: %s", record.Backend, safe(record.Fallback))
			}
			out, err := e.revertedRecords(cmd.Context(), record.Turn.Thread)
			if err != nil {
				return err
			}
			reverted := slices.Contains(out, record.Turn.Checkpoint)
			if a.json {
				return a.emit("overturn.checkpoint/1", wireOf(record, reverted), nil)
			}
			if err := a.emitTurn(&record.Turn); err != nil {
				return err
			}
			return a.emit("", nil, func(w *bufio.Writer) {
				recordLines(w, record)
				if reverted {
					fmt.Fprintln(w, "reverted   its turn is out of the thread: overturn turns --reverted lists it")
				}
			})
		},
	}
	cmd.Flags().BoolVar(&fetch, "fetch", false, "bring a record that is not here from a remote; ID whole")
	return cmd
}

// record reads the record that name names: one that is here by the start of its id, one
// that is to be fetched by all of it.
func (e *engines) record(ctx context.Context, name string, fetch bool) (*checkpoint.Record, error) {
	records, err := e.recordsWith(fetch)
	if err != nil {
		return nil, err
	}
	if fetch && checkpoint.KindOf(name) != checkpoint.KindUnknown {
		return records.Read(ctx, model.ID(name))
	}
	infos, err := records.List(ctx)
	if err != nil {
		return nil, err
	}
	id, err := uniqueID(name, "checkpoint", infos, func(i checkpoint.Info) model.ID { return i.ID })
	if err != nil {
		return nil, err
	}
	return records.Read(ctx, id)
}

func wireOf(r *checkpoint.Record, reverted bool) recordWire {
	wire := recordWire{
		Format: r.Format, Backend: r.Backend, Fallback: r.Fallback, Turn: r.Turn, Evidence: []json.RawMessage{},
		Transcript: string(r.Transcript), Attribution: r.Attribution, Snapshots: snapshotsWire{r.Snapshots.Start, r.Snapshots.End}, Reverted: reverted,
	}
	for line := range bytes.Lines(r.Evidence) {
		if line = bytes.TrimSpace(line); json.Valid(line) { // a torn last line is nobody's word
			wire.Evidence = append(wire.Evidence, line)
		}
	}
	return wire
}

// recordLines tells what the record has beside the turn.
func recordLines(w *bufio.Writer, r *checkpoint.Record) {
	fmt.Fprintf(w, "record     %s in %s, %s of evidence\n", r.Format, r.Backend, count(bytes.Count(r.Evidence, []byte("\n")), "line"))
	switch {
	case r.Transcript != nil:
		fmt.Fprintf(w, "transcript %s\n", count(bytes.Count(r.Transcript, []byte("\n")), "line"))
	default:
		fmt.Fprintln(w, "transcript not in it (overturn checkpoint backfill)")
	}
	if r.Attribution != nil {
		fmt.Fprintf(w, "owners     as of %s\n", r.Attribution.At.Format("2006-01-02 15:04"))
	}
	if r.Snapshots != (checkpoint.Snapshots{}) {
		fmt.Fprintln(w, "snapshots  go where the record goes")
	}
}
