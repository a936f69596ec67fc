package world

import (
	"context"
	"os"
	"os/signal"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// backOff is how long one goroutine waits after mostErrors at one instant. With the handler of the library it waits as long after each, which takes
// no virtual time to say so: whoever holds a mutex then would keep time from going on for those who want it.
const (
	backOff    = time.Millisecond
	mostErrors = 10
)

// errorsAt is how many errors a goroutine has had at an instant.
type errorsAt struct {
	at    time.Duration
	count int
}

// init replaces one of the library's handlers of errors: the one by which utilruntime.HandleError keeps its callers waiting
// until a millisecond has passed since the last error of the program. That handler would mix the virtual time of a run and real
// time, so that some callers would wait for decades, and others would not wait at all. With the new one, a goroutine in a run
// waits only if it has had many errors at one instant (backOff); outside of a run the library's handler is called as before.
// Other handlers stay: the program has perhaps added some.
func init() {
	own := slices.IndexFunc(utilruntime.ErrorHandlers, func(h utilruntime.ErrorHandler) bool {
		f := runtime.FuncForPC(reflect.ValueOf(h).Pointer())
		return f != nil && strings.HasPrefix(f.Name(), "k8s.io/apimachinery/pkg/util/runtime.") && !strings.HasSuffix(f.Name(), ".logError")
	})
	if own < 0 {
		return
	}
	original := utilruntime.ErrorHandlers[own]
	utilruntime.ErrorHandlers[own] = func(ctx context.Context, err error, msg string, keysAndValues ...any) {
		if w, id := here(); w != nil {
			w.backOff(id)
			return
		}
		original(ctx, err, msg, keysAndValues...)
	}
}

// backOff counts an error of the goroutine with that id. From the mostErrors-th error at one instant on it sleeps for a
// millisecond after each: perhaps the goroutine is in a loop that has no other pause. The caller does not hold w.mu.
func (w *world) backOff(id string) {
	w.mu.Lock()
	e := w.erred[id]
	if now := w.now(); e.at != now {
		e = errorsAt{at: now}
	}
	e.count++
	w.erred[id] = e
	w.mu.Unlock()
	if e.count >= mostErrors {
		time.Sleep(backOff)
	}
}

// listen begins the goroutine of os/signal outside of any bubble. If the code under test were the first to ask for signals, that goroutine would
// be in the bubble of its run, and end the program.
var listen = sync.OnceFunc(func() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
})
