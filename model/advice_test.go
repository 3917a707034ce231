package model_test

import (
	"testing"

	"overturn/model"
)

func TestAdvice(t *testing.T) {
	effect := func(d model.Domain, r model.Reversible) model.Effect { return model.Effect{Domain: d, Reversible: r} }
	const rest = " stays: a forward correction (new changes on top) may be safer than taking the files back"
	for want, list := range map[string][]model.Effect{
		"": {effect(model.DomainPackages, model.ReversibleYes), effect(model.DomainOther, model.ReversibleUnknown), effect(model.DomainCommits, model.ReversibleYes),
			effect(model.DomainDatabases, model.ReversibleYes)},
		"what was done to publication" + rest:         {effect(model.DomainPublication, model.ReversibleNo), effect(model.DomainPublication, model.ReversibleNo), effect(model.DomainPackages, model.ReversibleUnknown)},
		"what was done to databases, messages" + rest: {effect(model.DomainDatabases, model.ReversibleUnknown), effect(model.DomainMessages, model.ReversibleNo)},
	} {
		if got := model.Advice(list); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := model.Advice(nil); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}
