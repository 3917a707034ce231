package ui_test

import (
	"testing"

	"overturn/model"
	"overturn/ui/uitest"
)

// Card, plan and confirmation say of what cannot be reversed what makes up for it, and
// that going forward may be safer; they do not where everything can be.
func TestForwardMayBeSafer(t *testing.T) {
	const advice = "a forward correction"
	e := uitest.Shop()
	r := openConfirm(t, e, client)
	r.Absent(advice)
	r.Press("<esc>")
	r.Absent(advice)

	e = uitest.Shop()
	e.Effects = []model.Effect{
		{Domain: model.DomainDatabases, Summary: "npx prisma migrate deploy", Reversible: model.ReversibleUnknown, Compensation: "run the opposite migration"},
		{Domain: model.DomainOther, Summary: "unclassified command: deploy.sh", Reversible: model.ReversibleUnknown},
	}
	r = openConfirm(t, e, client)
	r.Want("npx prisma migrate deploy", "to make up for it: run the opposite migration", "unclassified command: deploy.sh", "what was done to databases stays: "+advice)
	r.Press("<esc>", "G")
	r.Want("Effects outside these files, not taken back", "what was done to databases stays: "+advice)
	r.Press("<esc>", "i", "G")
	r.Want("git push origin main", "not reversible", "to make up for it: git revert", "what was done to publication stays: "+advice)
}
