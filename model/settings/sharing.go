package settings

import (
	"fmt"
	"strconv"
)

// sharing is what of the user's own work goes with records to remotes. It is of the
// user's file and the environment alone: a repository cannot ask for it.
type sharing struct{ snapshots setting[bool] }

// envShareSnapshots lies over the files.
const envShareSnapshots = "OVERTURN_SHARING_SNAPSHOTS"

func (s *sharing) merge(w wire, layer source) {
	if w.Sharing != nil && w.Sharing.Snapshots != nil {
		s.snapshots = setting[bool]{*w.Sharing.Snapshots, layer}
	}
}

func (s *sharing) environment(getenv func(string) string) error {
	v := getenv(envShareSnapshots)
	if v == "" {
		return nil
	}
	on, err := strconv.ParseBool(v)
	if err != nil {
		return brokenVariable(envShareSnapshots, fmt.Errorf("%q is neither true nor false", v))
	}
	s.snapshots = setting[bool]{on, source{OriginEnv, envShareSnapshots}}
	return nil
}
