package model

import "context"

type progressKey struct{}

// WithProgress hands f to whatever is called with the context: reading that takes long
// tells it how much of how much is done, from any goroutine. Nil asks for silence.
func WithProgress(ctx context.Context, f func(done, of int)) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// TellProgress tells whoever asked with WithProgress, if anybody did.
func TellProgress(ctx context.Context, done, of int) {
	if f, ok := ctx.Value(progressKey{}).(func(done, of int)); ok && f != nil {
		f(done, of)
	}
}
