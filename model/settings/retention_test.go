package settings_test

import (
	"testing"
	"time"

	"overturn/model/settings"
)

func TestRetention(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		l    layers
		env  map[string]string
		want settings.Retention
		from settings.Origin // of older_than
	}{
		"defaults": {want: settings.Retention{OlderThan: 90 * day, Unreviewed: 7 * day}, from: settings.OriginDefault},
		"layers": {l: layers{user: `{"retention":{"keep":9,"older_than":"2w"}}`, project: `{"retention":{"older_than":"30d"}}`},
			want: settings.Retention{Keep: 9, OlderThan: 30 * day, Unreviewed: 7 * day}, from: settings.OriginProject},
		"environment": {l: layers{local: `{"retention":{"unreviewed":"36h"}}`}, env: map[string]string{"OVERTURN_RETENTION_OLDER_THAN": "0", "OVERTURN_RETENTION_KEEP": "3"},
			want: settings.Retention{Keep: 3, Unreviewed: 36 * time.Hour}, from: settings.OriginEnv},
	} {
		got, err := load(t, c.l, c.env)
		if err != nil || got.Retention != c.want {
			t.Errorf("%s: %+v, %v", name, got.Retention, err)
		}
		for _, v := range got.Values {
			if v.Key == "retention.older_than" && v.Origin != c.from {
				t.Errorf("%s: from %s", name, v.Origin)
			}
		}
	}
	for _, broken := range []string{`{"retention":{"keep":-1}}`, `{"retention":{"older_than":"soon"}}`, `{"retention":{"unreviewed":"-3d"}}`} {
		if got, err := load(t, layers{project: broken}, nil); err == nil || got.Retention.OlderThan != 90*day {
			t.Errorf("%s: %+v, %v", broken, got.Retention, err)
		}
	}
	if _, err := load(t, layers{}, map[string]string{"OVERTURN_RETENTION_KEEP": "all"}); err == nil {
		t.Error("a broken variable is taken")
	}
	for want, l := range map[string]layers{"false default": {}, "true local": {local: `{"capture":{"anywhere":true}}`}, "false project": {user: `{"capture":{"anywhere":true}}`, project: `{"capture":{"anywhere":false}}`}} {
		got, err := load(t, l, nil)
		if v := got.Values[1]; err != nil || v.Key != "capture.anywhere" || v.Value+" "+string(v.Origin) != want || got.Anywhere != (v.Value == "true") {
			t.Errorf("%s: %+v, %v", want, v, err)
		}
	}
	if got, err := load(t, layers{}, map[string]string{"OVERTURN_CAPTURE_ANYWHERE": "1"}); err != nil || !got.Anywhere {
		t.Errorf("%+v, %v", got.Anywhere, err)
	}
	if _, err := load(t, layers{}, map[string]string{"OVERTURN_CAPTURE_ANYWHERE": "here"}); err == nil {
		t.Error("a broken variable is taken")
	}
	for text, want := range map[string]time.Duration{"0": 0, "1d": day, "4w": 28 * day, "90m": 90 * time.Minute, "36500d": 36500 * day} {
		if got, err := settings.ParseAge(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "d", "-1d", "1.5d", "1y", "36501d", "99999999999999999999w", "-5m", "1 d"} {
		if got, err := settings.ParseAge(bad); err == nil {
			t.Errorf("%q is taken for %v", bad, got)
		}
	}
}

func TestAgeWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		90 * 24 * time.Hour: "90 days", 24 * time.Hour: "1 day", 36 * time.Hour: "36 hours", time.Hour: "1 hour", 90 * time.Minute: "1h30m0s", time.Millisecond: "1ms",
	} {
		if got := settings.AgeWords(d); got != want {
			t.Errorf("%d is %q, not %q", d, got, want)
		}
	}
}
