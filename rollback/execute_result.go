package rollback

import (
	"overturn/model"
	"overturn/rollback/journal"
)

// emptyResult has lists where JSON wants lists.
func emptyResult(outcome model.Outcome, fingerprint string, scopes []string) *model.Result {
	return &model.Result{
		Outcome: outcome, Fingerprint: fingerprint, Scopes: model.NotNil(scopes), Kept: []model.Noted{},
		Skipped: []model.Noted{}, Domains: []model.DomainCover{}, Post: []model.Post{}, Residual: []model.Effect{},
	}
}

// resultOf opens the report of a journal entry.
func resultOf(p *journal.Prepared, outcome model.Outcome) *model.Result {
	r := emptyResult(outcome, p.Fingerprint, p.Scopes)
	r.ID, r.Base, r.Safety = p.ID, p.Base, p.Safety
	r.Kept = append(r.Kept, p.Kept...)
	r.Skipped = append(r.Skipped, p.Skipped...)
	r.Domains = append(r.Domains, p.Domains...)
	r.Residual = append(r.Residual, p.Residual...)
	if t := p.Revert; t != nil {
		r.Reverted = &model.Reverted{Thread: t.Thread, To: t.To, Latest: t.Latest, Back: t.Back, Base: t.Base}
	}
	r.Advice = model.Advice(r.Residual)
	return r
}

// count adds a target that was carried out to the lists of the report.
func countTarget(r *model.Result, t model.Target) {
	switch {
	case t.Verdict == model.VerdictMerged:
		r.Merged = append(r.Merged, t.Path)
	case t.Op == model.OpCreate:
		r.Created = append(r.Created, t.Path)
	case t.Op == model.OpDelete:
		r.Deleted = append(r.Deleted, t.Path)
	default:
		r.Restored = append(r.Restored, t.Path)
	}
}

// undoCommand is the command that takes the entry back.
func undoCommand(id model.ID) string { return "overturn undo " + string(id) }

// opOf is what takes a path from one state to the other.
func opOf(from, to model.FileState) model.Op {
	switch {
	case to.Kind == model.KindAbsent:
		return model.OpDelete
	case from.Kind == model.KindAbsent:
		return model.OpCreate
	case to.Kind == model.KindLink:
		return model.OpLink
	case from.Kind == to.Kind && from.SHA256 == to.SHA256:
		return model.OpMode
	}
	return model.OpWrite
}
