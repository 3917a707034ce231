package model_test

import (
	"reflect"
	"testing"
	"time"

	"overturn/model"
)

func TestDistinct(t *testing.T) {
	at := func(s int64) time.Time { return time.Unix(s, 0) }
	push := model.Effect{Domain: model.DomainPublication, Summary: "git push", Reversible: model.ReversibleNo, At: at(1)}
	again, job, other := push, push, push
	again.At = at(2)
	job.Summary, job.Identity = "server", "pid 1"
	other.Summary, other.Identity = "server", "pid 2"
	list := []model.Effect{push, job, again, other}
	twice := push
	twice.Summary = "git push (2 times)"
	if got, want := model.Distinct(list), []model.Effect{twice, job, other}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if list[0].Summary != "git push" {
		t.Error("the list that was given changed")
	}
	if got := model.Distinct(nil); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}
