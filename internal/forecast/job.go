package forecast

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// job is one window to run: the one with that index in its stratum, counted over all shards.
type job struct {
	sample *sample
	index  int
}

// savedJobs is how many windows are simulated before they are written to Options.Kept.
const savedJobs = 512

// runAll runs the jobs, and adds what they show to their samples, in the order of the jobs. It does not simulate windows that are
// in o.Kept, except the first window of each line of a file: if that one shows something else now, it returns an error, since the
// file is of another version of the simulated world. On an error it adds nothing to the samples.
func (c *campaign) runAll(ctx context.Context, jobs []job) error {
	out := make([]outcome, 0, len(jobs))
	chunk := max(1, len(jobs))
	if c.o.Kept != nil {
		chunk = savedJobs
	}
	for some := range slices.Chunk(jobs, chunk) {
		shown, err := c.chunk(ctx, some)
		if err != nil {
			return err
		}
		out = append(out, shown...)
	}
	for i := range jobs {
		jobs[i].sample.add(&out[i])
	}
	return nil
}

// chunk returns what each of the jobs shows: what Kept has of it or, if it has nothing, what simulating it shows. It stores the
// latter in Kept, and raises Kept.Used by the number of windows that Kept had. Windows that are the first of a line of a file are
// simulated all the same, by check. It returns the error of check, of a run, of Kept's file or of ctx.
func (c *campaign) chunk(ctx context.Context, jobs []job) ([]outcome, error) {
	out := make([]outcome, len(jobs))
	if c.o.Kept == nil {
		return out, c.simulate(ctx, jobs, out)
	}
	var missing, checked []job
	for i, j := range jobs {
		x := c.o.Kept.of(j.sample.place, j.index)
		switch {
		case x == nil:
			missing = append(missing, j)
			continue
		case x.line > 0:
			checked = append(checked, j)
		}
		out[i] = x.outcome
	}
	if err := c.check(ctx, checked); err != nil {
		return nil, err
	}
	c.o.Kept.Used += len(jobs) - len(missing)
	return out, c.fill(ctx, jobs, missing, out)
}

// check simulates windows that Kept already has. It returns an error if one of them shows something else now.
func (c *campaign) check(ctx context.Context, jobs []job) error {
	again := make([]outcome, len(jobs))
	if err := c.simulate(ctx, jobs, again); err != nil {
		return err
	}
	for i, j := range jobs {
		if x := c.o.Kept.of(j.sample.place, j.index); !x.equal(&again[i]) {
			return fmt.Errorf("%s: the first window is not what this version of simulate shows: begin another file",
				c.o.Kept.name(j.index, x.line))
		}
	}
	return nil
}

// fill simulates those of the jobs that are in missing, stores them in Kept, and writes what they show into out, each at its
// place among all jobs. It returns the error of a run, of ctx or of Kept's file.
func (c *campaign) fill(ctx context.Context, jobs, missing []job, out []outcome) error {
	shown := make([]outcome, len(missing))
	if err := c.simulate(ctx, missing, shown); err != nil {
		return err
	}
	for i := 0; i < len(missing); {
		from, s := i, missing[i].sample
		for i < len(missing) && missing[i].sample == s {
			i++
		}
		if err := c.o.Kept.add(s.place, missing[from].index, shown[from:i]); err != nil {
			return err
		}
	}
	next := 0
	for i := range jobs {
		if next < len(missing) && jobs[i] == missing[next] {
			out[i] = shown[next]
			next++
		}
	}
	return nil
}

// simulate runs the jobs on as many goroutines as there are plays, and writes what each shows into out. It returns the first
// error of a run or, if ctx ends, ctx's error; some of the jobs have not run then.
func (c *campaign) simulate(ctx context.Context, jobs []job, out []outcome) error {
	errs := make([]error, len(c.plays))
	var next atomic.Int64
	var all sync.WaitGroup
	for k, p := range c.plays {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(jobs) {
					return
				}
				o, err := p.measure(c.set, c.o.Seed, jobs[i])
				if err != nil {
					errs[k] = err
					return
				}
				out[i] = o
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
