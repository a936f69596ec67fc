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

// backOff is how long one goroutine waits between two errors at least, as with the handler of the library.
const backOff = time.Millisecond

// init replaces the handler of utilruntime.HandleError that keeps its callers waiting until a millisecond has passed since the last error of the
// program. It takes the time of that error in a run for real time, or real time for that of the run: some wait for decades, and others for
// nothing, as long as tests before them have run. In a run each goroutine waits for its own last error. The program may have added handlers of its
// own before.
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

// backOff keeps the goroutine with that id waiting until its last error is a millisecond ago.
func (w *world) backOff(id string) {
	w.mu.Lock()
	wait := time.Duration(0)
	if before, again := w.erred[id]; again {
		wait = max(0, before+backOff-w.now())
	}
	w.erred[id] = w.now() + wait
	w.mu.Unlock()
	time.Sleep(wait)
}

// listen begins the goroutine of os/signal outside of any bubble. If the code under test were the first to ask for signals, that goroutine would
// be in the bubble of its run, and end the program.
var listen = sync.OnceFunc(func() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
})
