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

// here is the run that the calling goroutine belongs to, and the goroutine's id; nil and "" for none.
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

// exits ends the process that a goroutine belongs to, as klog would have ended the program with that code. Where it is
// not known whose the goroutine is, the run fails.
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
