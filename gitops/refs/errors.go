package refs

import "errors"

// ErrMoved is what every MovedError is.
var ErrMoved = errors.New("the ref holds another value")

// Is makes a MovedError an ErrMoved.
func (e *MovedError) Is(target error) bool { return target == ErrMoved }
