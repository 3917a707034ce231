package trail

import "testing"

func TestBackAndAhead(t *testing.T) {
	var l Trail[int]
	if _, ok := l.Back(1); ok {
		t.Error("there is a way back before any jump")
	}
	l.Leave(1)
	l.Leave(2)
	l.Leave(2)
	at := 3
	go1 := func(step func(int) (int, bool), want int) {
		t.Helper()
		next, ok := step(at)
		if ok != (want > 0) || next != want {
			t.Fatalf("from %d to %d (%v), want %d", at, next, ok, want)
		}
		if ok {
			at = next
		}
	}
	go1(l.Back, 2)
	go1(l.Back, 1)
	go1(l.Back, 0)
	go1(l.Ahead, 2)
	go1(l.Ahead, 3)
	go1(l.Ahead, 0)
	go1(l.Back, 2)
	l.Leave(at) // another way from here
	at = 9
	go1(l.Ahead, 0)
	go1(l.Back, 2)
	at = 1 // walked there without a jump
	go1(l.Back, 0)
	go1(l.Ahead, 9)
}

func TestItIsBounded(t *testing.T) {
	var l Trail[int]
	for i := range 3 * Most {
		l.Leave(i)
	}
	n, at := 0, 3*Most
	for {
		next, ok := l.Back(at)
		if !ok {
			break
		}
		if next != at-1 {
			t.Fatalf("from %d back to %d", at, next)
		}
		n, at = n+1, next
	}
	if n != Most || at != 2*Most {
		t.Errorf("%d steps back, to %d", n, at)
	}
}
