package model_test

import (
	"context"
	"fmt"
	"testing"

	"overturn/model"
)

func TestProgress(t *testing.T) {
	var told []string
	ctx := model.WithProgress(t.Context(), func(done, of int) { told = append(told, fmt.Sprint(done, "/", of)) })
	model.TellProgress(ctx, 1, 2)
	model.TellProgress(context.WithoutCancel(ctx), 2, 2)
	model.TellProgress(model.WithProgress(ctx, nil), 3, 3)
	model.TellProgress(t.Context(), 4, 4)
	if got := fmt.Sprint(told); got != "[1/2 2/2]" {
		t.Errorf("told %s", got)
	}
}
