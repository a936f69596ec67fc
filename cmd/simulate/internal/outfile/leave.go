package outfile

import (
	"os"
	"os/signal"
	"syscall"

	"interregnum/cmd/simulate/internal/exit"
)

// endSignals returns the signals that end a program, except those that this one was started to ignore, as by nohup.
func endSignals() (signals []os.Signal) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	return signals
}

// watch is a wait for a signal that ends the program. When one comes, it removes a temporary file and then ends the program as
// the signal would. If several files are watched, each watch removes its file, and the last one ends the program.
type watch struct {
	signals chan os.Signal
	over    chan struct{}
	// spared has a value while the next signal is left to terminal.Interruptible: see File.SpareFirst.
	spared chan struct{}
}

// newWatch starts to catch the signals that end a program, and returns their watch. Signals are kept until run receives them.
func newWatch() *watch {
	w := &watch{make(chan os.Signal, 2), make(chan struct{}), make(chan struct{}, 1)}
	if signals := endSignals(); len(signals) > 0 {
		signal.Notify(w.signals, signals...)
	}
	return w
}

// run waits for a signal that the watch does not spare (see spares), then removes the file with that name and ends the program as
// the signal does. It returns when the watch is stopped.
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

// spares tells whether the watch ignores a signal, so that the file stays. It is true for the first signal after a call of
// File.SpareFirst, which terminal.Interruptible handles. It is false for SIGHUP, which terminal.Interruptible does not handle.
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

// stop ends the watch without removing the file. Signals that no other watch catches have their usual effect again.
func (w *watch) stop() {
	signal.Stop(w.signals)
	close(w.over)
}

// end ends this process by the signal s, which must no longer be caught. Where signals cannot be sent, it exits.
func end(s os.Signal) {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(s)
	}
	if err != nil { // Windows cannot send signals.
		os.Exit(exit.HarnessFailed)
	}
}
