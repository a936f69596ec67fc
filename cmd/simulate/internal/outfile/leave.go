package outfile

import (
	"os"
	"os/signal"
	"syscall"

	"interregnum/cmd/simulate/internal/exit"
)

// endings are the signals that end a program at once, unless it was started to ignore them, as by nohup.
func endings() (signals []os.Signal) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	return signals
}

// watch removes a temporary file when a signal ends the program, which then ends as by that signal: where several files are
// watched, with the last of them. Stop ends the watch.
type watch struct {
	signals chan os.Signal
	over    chan struct{}
	// spared has a value while the next signal that terminal.Interruptible takes is left to another: see File.SpareFirst.
	spared chan struct{}
}

// newWatch catches from now on the signals that end a program; they wait until run looks at them.
func newWatch() *watch {
	w := &watch{make(chan os.Signal, 2), make(chan struct{}), make(chan struct{}, 1)}
	if signals := endings(); len(signals) > 0 {
		signal.Notify(w.signals, signals...)
	}
	return w
}

// run waits for a signal, then removes the file of that name and ends the program as by that signal. It returns once
// the watch is stopped.
func (w *watch) run(name string) {
	for {
		select {
		case <-w.over:
			return
		case s := <-w.signals:
			if w.spares(s) {
				continue
			}
			_ = os.Remove(name)
			signal.Stop(w.signals)
			end(s)
			return
		}
	}
}

// spares tells whether a signal is left to terminal.Interruptible, so that the file stays: the first one after SpareFirst, but
// never SIGHUP.
func (w *watch) spares(s os.Signal) bool {
	if s == syscall.SIGHUP {
		return false
	}
	select {
	case <-w.spared:
		return true
	default:
		return false
	}
}

func (w *watch) stop() {
	signal.Stop(w.signals)
	close(w.over)
}

// end sends this process a signal that it had caught, so that it ends as by that signal.
func end(s os.Signal) {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(s)
	}
	if err != nil { // Windows cannot.
		os.Exit(exit.HarnessFailed)
	}
}
