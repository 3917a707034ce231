package cli

import "overturn/review/agents"

// foreign records a payload that another agent gave to this agent's hooks, as that
// agent's: some programs run the hooks in the files of others too.
func (h *hookRun) foreign(name string, payload agents.Payload) error {
	adapter, err := agentSet().Get(name)
	if err != nil {
		return err
	}
	event, broken := adapter.Parse(payload)
	h.event = event
	if event.Kind == agents.Ignored {
		return broken
	}
	return h.recorded(event, broken)
}

// twice tells whether the event comes by another agent's hooks while the agent's own
// record here: they tell the same, and nothing may be recorded twice.
func (h *hookRun) twice() (bool, error) {
	if h.event.Agent == h.call.agent {
		return false, nil
	}
	adapter, err := agentSet().Get(h.event.Agent)
	if err != nil {
		return false, err
	}
	in, ok := adapter.(agents.Installer)
	if !ok {
		return false, nil
	}
	row, err := h.app.agentRow(h.repo, installer{h.event.Agent, in})
	return row.Installed, err
}
