package gate

import (
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
)

// timeoutOf sets the request timeout of a target from a file, and who says so: the file, its program, or the run.
func (t *Target) timeoutOf(f *files.Target, unsaid *Unsaid) {
	switch {
	case f.Timeout.Kind != files.Unknown && f.Program != nil:
		t.Timeout, t.TimeoutFrom = f.Timeout, f.Program.Source
	case f.Timeout.Kind != files.Unknown:
		t.Timeout, t.TimeoutFrom = f.Timeout, "the file"
	default:
		t.Timeout, t.TimeoutFrom = unsaid.timeout()
	}
}

// timeout returns the request timeout for targets that give none: that of the flag, or else whichever is worse.
func (u *Unsaid) timeout() (of files.Timeout, from string) {
	if u.Timeout.Kind == files.Unknown {
		return files.Timeout{Kind: files.Either}, ""
	}
	return u.Timeout, "--request-timeout"
}

// SetTimeout is for a target that is in no file.
func (t *Target) SetTimeout(unsaid *Unsaid) { t.Timeout, t.TimeoutFrom = unsaid.timeout() }

// releaseOf notes who says whether the target releases the lock: its file, the code of its program, or the flag.
func (t *Target) releaseOf(f *files.Target, unsaid *Unsaid) {
	switch {
	case f.ReleaseSaid && f.ReleaseOnCancel == t.ReleaseOnCancel:
		t.ReleaseFrom = "the file"
	case f.ReleaseOnCancel && f.Program != nil:
		t.ReleaseFrom = f.Program.ReleaseSource()
	case unsaid.ReleaseOnCancel:
		t.ReleaseFrom = "--release-on-cancel"
	case f.Program != nil:
		t.ReleaseFrom = f.Program.ReleaseSource()
	}
}

// timeouts are those that a target may have with a RenewDeadline; 0 is none.
func (t *Target) timeouts(renewDeadline time.Duration) []time.Duration {
	if t.Timeout.Kind == files.Unknown {
		return []time.Duration{t.RequestTimeout}
	}
	return t.Timeout.For(renewDeadline)
}

// timeoutsOf returns the timeouts with which a changed configuration is judged: its own where that is what was changed, or else those of the target.
func (j *Judgement) timeoutsOf(c *bound.Config) []time.Duration {
	if c.RequestTimeout != j.RequestTimeout {
		return []time.Duration{c.RequestTimeout}
	}
	return j.timeouts(c.RenewDeadline)
}

// bound computes the result with each timeout that the target may have, and keeps the worst.
func (j *Judgement) bound() error {
	worst := j.Config
	for _, d := range j.timeouts(j.RenewDeadline) {
		c := j.Config
		c.RequestTimeout = d
		r, err := bound.Of(&c, &j.Environment)
		if err != nil {
			return err
		}
		if j.Result == nil || r.Unbounded && !j.Result.Unbounded ||
			r.Unbounded == j.Result.Unbounded && r.Overlap > j.Result.Overlap {
			j.Result, worst = r, c
		}
	}
	j.Config = worst
	return nil
}
