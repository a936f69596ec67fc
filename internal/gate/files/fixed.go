package files

import (
	"fmt"
	"slices"
)

// fixed drops from c.raws the timings of a program whose timings no setting changes, and adds a note that names the first of them.
func (w *walker) fixed(c *candidate) {
	if c.program == nil || !c.program.fixed {
		return
	}
	dropped := false
	c.raws = slices.DeleteFunc(c.raws, func(r raw) bool {
		is := r.key >= leaseDuration && r.key <= retryPeriod
		if is && !dropped {
			dropped = true
			w.note(c.pos.at(r.line), Ignored, fmt.Sprintf("%s: %s does not read it; its timings are fixed in its code, at %v",
				r.name, c.program.Name, c.program.timings))
		}
		return is
	})
}
