package rollback

import "overturn/model"

// domains says of every domain whether a rollback covers it.
func domains(p *Prepared) []model.DomainCover {
	notes := map[model.Domain]string{
		model.DomainIgnored:     "ignored files are never touched",
		model.DomainCommits:     "commits, branches and HEAD stay as they are",
		model.DomainSubmodules:  "what a submodule holds is not captured",
		model.DomainOutside:     "files outside the work tree are not captured",
		model.DomainProcesses:   "processes are not stopped or started",
		model.DomainPackages:    "what was installed stays",
		model.DomainPublication: "what was pushed or published stays",
	}
	covered := map[model.Domain]string{
		model.DomainTracked:   "files of the plan, by their bytes",
		model.DomainUntracked: "files of the plan, by their bytes",
		model.DomainModes:     "permission bits of files of the plan",
	}
	if len(p.Index) > 0 {
		covered[model.DomainIndex] = "entries that the turn staged go back with their files; all others stay"
	} else {
		notes[model.DomainIndex] = "no entry goes back: the turn staged none, or they were changed since, or a merge was open then and which it staged is not known"
	}
	var list []model.DomainCover
	for _, d := range model.Domains() {
		note, ok := covered[d]
		if !ok {
			if note = notes[d]; note == "" {
				note = "not captured"
			}
		}
		list = append(list, model.DomainCover{Domain: d, Covered: ok, Note: note})
	}
	return list
}

// reversible tells whether what happened outside the files can be taken back: it
// can where nothing did.
func reversible(effects []model.Effect) model.Reversible {
	answer := model.ReversibleYes
	for _, e := range effects {
		switch e.Reversible {
		case model.ReversibleNo:
			return model.ReversibleNo
		case model.ReversibleUnknown:
			answer = model.ReversibleUnknown
		}
	}
	return answer
}
