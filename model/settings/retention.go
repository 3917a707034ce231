package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Retention says what `checkpoint prune` takes when it is not told: turns that are
// older than OlderThan and not among the newest Keep of their thread (0: the number
// does not matter). A turn that nobody has looked at stays for Unreviewed after its
// end whatever else is said.
type Retention struct {
	Keep       int
	OlderThan  time.Duration
	Unreviewed time.Duration
}

// The defaults of the block "retention".
const (
	DefaultOlderThan  = 90 * day
	DefaultUnreviewed = 7 * day

	day = 24 * time.Hour
)

// retention is Retention with the origin of each part.
type retention struct {
	keep       setting[int]
	olderThan  setting[time.Duration]
	unreviewed setting[time.Duration]
}

type setting[T any] struct {
	value T
	from  source
}

// take lays the value of a layer over what there is; nil is none.
func (s *setting[T]) take(layer source, text any, parse func(string) (T, error)) error {
	var spelt string
	switch text := text.(type) {
	case *int:
		if text == nil {
			return nil
		}
		spelt = strconv.Itoa(*text)
	case *string:
		if text == nil {
			return nil
		}
		spelt = *text
	}
	value, err := parse(spelt)
	if err == nil {
		*s = setting[T]{value, layer}
	}
	return err
}

func defaultRetention() retention {
	none := source{origin: OriginDefault}
	return retention{setting[int]{0, none}, setting[time.Duration]{DefaultOlderThan, none}, setting[time.Duration]{DefaultUnreviewed, none}}
}

func (r *retention) settings() Retention {
	return Retention{r.keep.value, r.olderThan.value, r.unreviewed.value}
}

func (r *retention) environment(getenv func(string) string) error {
	for name, take := range map[string]func(source, *string) error{
		"OVERTURN_RETENTION_KEEP":       func(layer source, s *string) error { return r.keep.take(layer, s, parseKeep) },
		"OVERTURN_RETENTION_OLDER_THAN": func(layer source, s *string) error { return r.olderThan.take(layer, s, ParseAge) },
		"OVERTURN_RETENTION_UNREVIEWED": func(layer source, s *string) error { return r.unreviewed.take(layer, s, ParseAge) },
	} {
		if v := getenv(name); v != "" {
			if err := take(source{OriginEnv, name}, &v); err != nil {
				return brokenVariable(name, err)
			}
		}
	}
	return nil
}

func parseKeep(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a number of turns", s)
	}
	return n, nil
}

// ageLimit bounds an age: more than it, in nanoseconds, is no number any more.
const ageLimit = 100 * 365 * day

// ParseAge reads an age: a number of days (30d) or weeks (4w), or hours, minutes and
// seconds as Go spells them (36h, 90m); 0 is none.
func ParseAge(s string) (time.Duration, error) {
	for unit, length := range map[string]time.Duration{"d": day, "w": 7 * day} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			n, err := strconv.Atoi(number)
			if err != nil || n < 0 || time.Duration(n) > ageLimit/length {
				return 0, fmt.Errorf("%q is not an age", s)
			}
			return time.Duration(n) * length, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d > ageLimit {
		return 0, fmt.Errorf("%q is not an age: 30d, 4w and 36h are", s)
	}
	return d, nil
}

// AgeWords is an age in words for people: whole days, else whole hours, where it is so.
func AgeWords(d time.Duration) string {
	n, unit := d/day, "day"
	if d%day != 0 {
		n, unit = d/time.Hour, "hour"
	}
	switch {
	case d%time.Hour != 0:
		return d.String()
	case n != 1:
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// AgeText spells an age as ParseAge reads it.
func AgeText(d time.Duration) string {
	if d%day == 0 {
		return strconv.Itoa(int(d/day)) + "d"
	}
	return d.String()
}
