//go:build linux || darwin

package casebook_test

// The JSON of every verb, held against section 3 of the contract: every field is
// there under its name and of its kind. Further fields are allowed.

// shape is an object's fields. A value is the name of a kind (see kindOf), a shape,
// or a list of one; a name that ends in "?" may be null.
type shape map[string]any

type listOf struct{ of any }

// shapes are the objects of the contract by their schema.
func shapes() map[string]shape {
	file := shape{"path": "text", "old_path": "text", "change": "added|modified|deleted|renamed|mode|type", "additions": "number", "deletions": "number",
		"binary": "bool", "owner": "user|agent|unknown|mixed"}
	noted := listOf{shape{"path": "text", "reason": "words"}}
	effect := listOf{shape{"domain": "domain", "summary": "words", "reversible": "yes|no|unknown", "compensation": "text", "identity": "text", "at": "time"}}
	boundary := shape{"ref": "ref", "tree": "oid", "head": "oid", "branch": "text", "captured_at": "time",
		"inventory": shape{"staged": noted, "unstaged": noted, "untracked": noted, "submodules": listOf{shape{"path": "words", "head": "oid"}}}}
	turn := shape{"thread": "words", "agent": "words", "work_tree": "words", "turn": "number", "turn_id": "text", "prompt": "text",
		"state": "open|completed|failed|cancelled|interrupted|unknown", "checkpoint": "id", "status": "ready|missing|error", "status_reason": "text", "ref": "text",
		"start?": boundary, "end?": boundary, "base": "text", "head_moved": "bool", "message_id": "text", "started_at?": "time", "completed_at?": "time", "files?": listOf{file},
		"left_out": noted, "effects": effect}
	state := shape{"kind": "file|link|gitlink|absent", "mode": "mode", "size": "number", "sha256": "sha256?"}
	domains := listOf{shape{"domain": "domain", "covered": "bool", "note": "text"}}
	diffFile := shape{"hunks": listOf{shape{"id": "any", "header": "words", "old_start": "number", "old_lines": "number", "new_start": "number", "new_lines": "number",
		"owner": "user|agent|unknown|mixed"}}}
	for name, kind := range file {
		diffFile[name] = kind
	}
	return map[string]shape{
		"overturn.turn/1":    turn,
		"overturn.turns/1":   {"thread": "words", "turns": listOf{turn}},
		"overturn.threads/1": {"threads": listOf{shape{"thread": "words", "agent": "words", "work_tree": "words", "title": "text", "turns": "number", "last_at": "time", "source": "words"}}},
		"overturn.diff/1":    {"scope": "words", "base": "any", "target": "any", "files": listOf{diffFile}, "hidden_whitespace_only": listOf{"words"}, "left_out": noted},
		"overturn.plan/1": {"fingerprint": "sha256", "scopes": listOf{"words"}, "targets": listOf{shape{"path": "words", "op": "write|create|delete|mode|link",
			"method": "take-out|restore", "from": state, "to": state, "owner": "user|agent|unknown|mixed", "turns": listOf{"number"}, "thread": "text", "hunks": listOf{"number"},
			"verdict": "clean|merged|already|drifted|conflict", "reason": "text"}}, "kept": noted, "domains": domains, "effects": effect, "reversible": "yes|no|unknown"},
		"overturn.rollback/1": {"id": "id", "outcome": "complete|partial|stale|refused|cancelled|undone", "fingerprint": "sha256", "scopes": listOf{"words"},
			"base": shape{"ref": "text", "tree": "text", "head": "text"}, "restored": listOf{"words"}, "created": listOf{"words"}, "deleted": listOf{"words"}, "merged": listOf{"words"},
			"kept": noted, "skipped": noted, "domains": domains, "post": listOf{shape{"path": "words", "kind": "file|link|gitlink|absent", "mode": "mode", "sha256": "sha256?"}},
			"verified": "bool", "safety": "text", "undo": "text", "residual": effect,
			"conversation?": shape{"agent": "text", "supported": "bool", "turns": "number", "done": "bool", "note": "text"}},
		"overturn.history/1": {"entries": listOf{shape{"id": "id", "kind": "rollback|undo|redo|revert", "outcome": "words", "paths": listOf{"words"}, "at": "time", "undone_by": "text"}}},
		"overturn.comments/1": {"thread": "text", "comments": listOf{shape{"id": "id", "at": "time", "scope": "words", "thread": "text", "turn": "number", "path": "words", "kind": "file|hunk|lines",
			"side": "old|new", "from": "number", "to": "number", "quote": "text", "text": "words", "told?": shape{"at": "time", "agent": "words", "thread": "words", "turn": "number"},
			"where": "words", "now_from": "number", "now_to": "number"}}, "taken_back": listOf{shape{"id": "id", "at": "time", "paths": listOf{"words"}, "why": "text"}},
			"waiting?": shape{"at": "time", "agent": "words", "thread": "words", "comments": listOf{"id"}, "taken_back": listOf{"id"}, "text": "words"}},
		"overturn.recover/1": {"found": "bool", "id": "text", "way": "text", "outcome": "text", "restored": listOf{"words"}},
		"overturn.status/1": {"repository": "words", "work_tree": "words", "thread": "text", "turns": "number", "last?": shape{"status": "ready|missing|error", "state": "words"},
			"staged": listOf{shape{"path": "words"}}, "interrupted?": shape{"id": "id", "started_at": "time", "done": "number", "of": "number"}, "queued": "number"},
		"overturn.checkpoints/1": {"checkpoints": listOf{shape{"id": "id", "backend": "words", "thread": "words", "turn": "number", "at": "time", "status": "ready|missing|error",
			"local": "bool", "remote": "any"}}},
		"overturn.agents/1": {"agents": listOf{shape{"agent": "words", "installed": "bool", "where": "text", "trusted": "text", "hooks": "any", "conversation_rollback": "any",
			"last_turn_at?": "time", "note": "text"}}},
		"overturn.doctor/1": {"findings": listOf{shape{"check": "words", "ok": "bool", "detail": "words", "repair": "text"}}},
		"overturn.error/1":  {"code": "words", "message": "words", "hint": "words"},
	}
}
