package bubble

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/electiontest/internal/goroutines"
)

// written is closed by the first that is written.
type written struct {
	sync.Once
	text string
	over chan struct{}
}

func (w *written) Write(text []byte) (int, error) {
	w.Do(func() {
		w.text = string(text)
		close(w.over)
	})
	return len(text), nil
}

// TestStandsStill: where virtual time stands still, somebody says what it waits for.
func TestStandsStill(t *testing.T) {
	b, w, seen := New("one", time.Millisecond), &written{over: make(chan struct{})}, make(chan struct{})
	b.talk = w
	b.Run(t, func() {
		go time.Sleep(time.Hour)
		go func() { <-seen }()
		for text := ""; !strings.Contains(text, "chan receive, synctest"); text = goroutines.Text(b.keepers(goroutines.All())) {
			assert.NotContains(t, text, "[sleep")
		}
		<-w.over
		close(seen)
	})
	assert.Contains(t, w.text, "scenario one has stood still for 1ms of real time")
	assert.Contains(t, b.Left, "[sleep")
}

// TestMutex: who waits for a mutex keeps virtual time from going on for its holder, and that is said.
func TestMutex(t *testing.T) {
	b := New("one", 5*time.Second)
	b.Run(t, func() {
		var mu sync.Mutex
		mu.Lock()
		go func() {
			mu.Lock()
			defer mu.Unlock()
		}()
		suspects := b.keepers(goroutines.All())
		for ; !strings.Contains(goroutines.Text(suspects), "[sync.Mutex.Lock, synctest"); suspects = b.keepers(goroutines.All()) {
			assert.Contains(t, diagnosis(suspects), "a goroutine computes")
		}
		mu.Unlock()
		assert.Contains(t, diagnosis(suspects), "a goroutine waits for a mutex")
		assert.Contains(t, goroutines.Text(suspects), "TestMutex.func1.1()")
	})
}

// TestBusy: what computes, or waits for a processor, is no hang, however long that takes; nor is a goroutine outside that
// works for one inside.
func TestBusy(t *testing.T) {
	b := New("busy", time.Millisecond)
	b.talk = &written{over: make(chan struct{})}
	answer := make(chan int)
	go func() { answer <- busy() }()
	var got int
	b.Run(t, func() {
		busy()
		got = <-answer
	})
	assert.Empty(t, b.Stuck)
	assert.Positive(t, got)
}

// busy computes for a hundred looks.
func busy() (n int) {
	for n = range 100 {
		goroutines.All()
	}
	return n
}
