package electiontest

import (
	"runtime"

	"k8s.io/klog/v2"
)

// klog's Fatal and Exit end a program through a variable, unlike os.Exit and log.Fatal: in a run they end the candidate.
func init() {
	original := klog.OsExit
	klog.OsExit = func(code int) {
		if w, id := here(); w != nil {
			w.exits(id, code)
			runtime.Goexit() // they never return
		}
		original(code)
	}
}

// here is the run that this goroutine is of, nil for none, and the goroutine.
func here() (*world, string) {
	w := current.Load()
	if w == nil {
		return nil, ""
	}
	id, bubble := goroutine()
	if bubble == "" || bubble != w.bubble.id.Load() {
		return nil, ""
	}
	return w, id
}

// exits ends the process that a goroutine is of.
func (w *world) exits(id string, code int) {
	all := stacks()
	w.mu.Lock()
	p, known := ancestry(all, id, w.functions)
	if !known {
		w.fail("klog has ended the program with status %d at %v, in a goroutine of which it is not known whose it is: want "+
			"Candidate.Exit there", code, w.now())
	}
	w.mu.Unlock()
	if known {
		p.exit()
	}
}
