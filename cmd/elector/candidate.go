package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"interregnum/elector"
)

// candidate is one elector's part in its election.
type candidate struct {
	o        *options
	log      *slog.Logger
	lease    *lease
	metrics  *metrics
	watchDog *elector.HealthzAdaptor
	// end ends the candidate's part in the election.
	end context.CancelFunc

	mu sync.Mutex
	// answered is when the lock last answered; trouble is what it has reported since, "" where nothing is wrong.
	answered time.Time
	trouble  string
	writes   writes
	// missing says, by verb, why a right to the lock is known to be missing. An answer to a request with another verb does
	// not change that.
	missing map[string]string
	holder  string
	leading bool
	// led: the candidate has led. gaveUp: it has not led, and never will.
	led, gaveUp bool
	// notYet says why nobody may lead on SQLite's file yet; waiting is the timer of --wait. announced is what tells other
	// electors on this host on which of SQLite's files this one leads. All may be nil.
	notYet    error
	waiting   *time.Timer
	announced *announcement
	// unsure: a write of the entry has ended without an answer, and may have taken effect. Only one request to the lock at
	// a time uses it.
	unsure bool
	// result is what the process ends with, once that is decided; nil before that.
	result *exitError
}

// waitAtMost starts a timer that calls giveUp after wait, stores it in c.waiting, and returns a function that stops it. With a
// negative wait there is no timer. With a wait of 0 the timer runs for --renew-deadline.
func (c *candidate) waitAtMost(wait time.Duration) (stop func()) {
	if wait < 0 {
		return func() {}
	}
	if wait == 0 {
		// Whoever holds the lock ends the wait: see noted. Where nobody answers there is none.
		wait = c.o.renew
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = time.AfterFunc(wait, c.giveUp)
	return func() { c.waiting.Stop() }
}

// giveUp ends the candidate's part in the election, and sets the result of the process to the exit code for not leading within
// --wait, with a text that says why: what is wrong, who holds the lock, or that the file is new. If the candidate has led in an
// earlier term, it does nothing.
func (c *candidate) giveUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.led {
		return
	}
	c.gaveUp = true
	text := fmt.Sprintf("not leading within --wait %v", c.o.wait)
	switch {
	case c.trouble != "":
		text += ": " + c.trouble
	case c.holder != "":
		text += fmt.Sprintf(": %q holds the lock", c.holder)
	case c.notYet != nil:
		text += ": " + c.notYet.Error()
	}
	c.result = &exitError{code: exitNotLed, text: text}
	c.end()
}

// wrote stores, for /readyz, that a write to the lock has succeeded (err is nil) or failed.
func (c *candidate) wrote(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.writes = writes{}
		return
	}
	c.writes.failed(err, c.o.quiet())
}

// heard stores, for health checks and messages, that the lock has answered (well is true), or the error err with which it has
// not.
func (c *candidate) heard(well bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if well {
		c.answered, c.trouble = time.Now(), ""
		return
	}
	c.trouble = err.Error()
}

// noteHolder stores whom the lock names as its holder, "" for nobody. If that is another than before, it logs the change, and
// counts a new holder in the metrics. It is called after each request to the lock that tells the holder, one at a time: the
// elector's OnNewLeader runs on goroutines of its own, in no order.
func (c *candidate) noteHolder(holder string) {
	c.mu.Lock()
	before := c.holder
	c.holder = holder
	c.mu.Unlock()
	if holder == before {
		return
	}
	c.log.Info("the lock's holder has changed", "holder", holder)
	if holder != "" {
		c.metrics.transitions.Inc()
	}
}

// work does what the candidate does in one term as leader. It runs the command under a guard until the command or ctx ends;
// without a command it waits for the end of ctx. If the command has ended by itself, or could not be run, it ends the candidate's
// part in the election and returns nil. In all other cases, and always with --restart, it returns an error: another term may
// follow. A candidate that has given up runs nothing, and returns an error. At its end work withdraws the candidate's announcement.
func (c *candidate) work(ctx context.Context) error {
	defer c.withdraw()
	if !c.lead() {
		return context.Canceled
	}
	defer context.AfterFunc(ctx, c.follow)()
	defer c.follow()
	if len(c.o.command) == 0 {
		<-ctx.Done()
		return ctx.Err()
	}
	runner := command{
		argv: c.o.command, hide: c.o.secrets(), renew: c.o.renew, grace: c.o.grace, window: c.o.lease - c.o.renew,
		lease: c.lease, stdout: os.Stdout, stderr: os.Stderr,
	}
	if c.o.at.kind == onSQLite {
		runner.patience, runner.keep = c.o.lease, c.handOn()
	}
	how, err := runner.run(ctx)
	switch {
	case err != nil && c.o.restart:
		return err
	case err != nil:
		return c.finish(exitFailed, err.Error())
	case !how.byItself && ctx.Err() == nil:
		return errors.New("the guard has stopped the command: the lease had not been renewed in time")
	case !how.byItself:
		c.log.Info("the command was stopped", "status", how.status)
		return ctx.Err()
	case c.o.restart:
		return fmt.Errorf("the command has ended by itself, with status %d", how.status)
	}
	c.log.Info("the command has ended by itself", "status", how.status)
	return c.finish(how.status, "")
}

// finish ends the candidate's part in the election, so that a command that has ended is not run again, even if its term is lost
// at the same time. Unless the code is exitDone, it stores the exit code and the error text of the process. It always returns
// nil, for work to return.
func (c *candidate) finish(code int, text string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if code != exitDone {
		c.result = &exitError{code: code, text: text}
	}
	c.end()
	return nil
}

// lead stores, also in the metrics, that the candidate leads now, and returns true. If the candidate has given up and must not
// lead, it stores nothing and returns false.
func (c *candidate) lead() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gaveUp {
		return false
	}
	c.led, c.leading = true, true
	c.metrics.leader.Set(1)
	return true
}

// follow stores, for metrics and /leader, that the candidate does not lead any more. If it led until now, it also logs that it does
// not lead any more.
func (c *candidate) follow() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.leading {
		c.log.Info("No longer leading")
	}
	c.leading = false
	c.metrics.leader.Set(0)
}

// lacks stores, for /readyz, the message why, that the right to a verb is missing; a why of "" says that the right is there. It
// returns true if the right is missing and was not known to be missing.
func (c *candidate) lacks(verb, why string) (news bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.missing == nil {
		c.missing = map[string]string{}
	}
	_, known := c.missing[verb]
	if why == "" {
		delete(c.missing, verb)
		return false
	}
	c.missing[verb] = why
	return !known
}

// missingRight returns the message about a right that is missing, of the first verb in order if there are several; "" for none.
// The caller holds c.mu.
func (c *candidate) missingRight() string {
	for _, verb := range slices.Sorted(maps.Keys(c.missing)) {
		return c.missing[verb]
	}
	return ""
}

// noteNotYet stores why nobody may lead on SQLite's file yet, a *newFileError, errElsewhere or errStill; nil says that somebody
// may. It logs an error of another kind than the last one. With --wait 0s, a *newFileError that does not follow another one also
// prolongs the wait, until --renew-deadline after the file may be led on, since perhaps nobody holds the lock until then.
func (c *candidate) noteNotYet(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.notYet
	c.notYet = why
	var fresh, freshBefore *newFileError
	switch {
	case why == nil:
	case !errors.As(why, &fresh):
		text := "somebody leads on another file"
		if why == errStill {
			text = "somebody works under a lock that is free"
		}
		if why != before && c.o.wait != 0 { // with --wait 0s it is what elector ends with
			c.log.Warn(text, "file", c.o.at.path)
		}
	case !errors.As(before, &freshBefore):
		c.log.Warn("the file is new", "file", c.o.at.path, "wait", fresh.left.String())
		if c.o.wait == 0 && c.waiting != nil {
			c.waiting.Reset(fresh.left + c.o.renew)
		}
	}
}
