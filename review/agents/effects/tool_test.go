package effects_test

import (
	"testing"
	"time"

	"overturn/review/agents/effects"
)

func TestOfTool(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"mcp__github__create_issue", "other called mcp__github__create_issue"},
		{"mcp__github__get_issue", ""},
		{"mcp__slack__slack_post_message", "messages called mcp__slack__slack_post_message"},
		{"mcp__slack__update_topic", "messages called mcp__slack__update_topic"},
		{"mcp__slack__list_channels", ""},
		{"mcp__Mail__sendMessage", "messages called mcp__Mail__sendMessage"},
		{"mcp__filesystem__write_file", ""},
		{"mcp__x__", ""}, {"mcp__x", ""}, {"mcp____", ""}, {"Bash", ""}, {"", ""}, {"mcp__x___-", ""},
	} {
		e, ok := effects.OfTool(c.name, false, time.Time{})
		got := ""
		if ok {
			got = string(e.Domain) + " " + e.Summary
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
	if e, ok := effects.OfTool("mcp__x__delete_it", true, time.Time{}); !ok || e.Summary != "called mcp__x__delete_it (failed)" {
		t.Errorf("%+v %v", e, ok)
	}
}
