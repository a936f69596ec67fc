// Package corpus reads the timings of real projects (testdata/corpus) for the tests of the pages that judge them.
package corpus

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios/plan"
)

// Row is a project with its configuration, with the profile client-go or fabric8.
type Row struct {
	Project string
	Config  bound.Config
	// Kind is that of the lock's client, with the profile client-go, and QPS and Burst are the numbers of its limiter where the project sets
	// them; else nil.
	Kind  string
	QPS   *float64
	Burst *int
	// shared: others use the same limiter.
	shared bool
}

// Read returns the rows of the file. An error names the project.
func Read(name string) (rows []Row, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, line := range lines[1:] {
		r, err := row(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, line[0], err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// row returns the row of a line of the file. The error is that of a number or a duration.
func row(line []string) (r Row, err error) {
	r = Row{Project: line[0], Kind: line[7], shared: line[10] == "true"}
	c := &r.Config
	c.Profile, c.ReleaseOnCancel = machine.ClientGo, line[5] == "true"
	if r.Kind == machine.Fabric8.Name {
		c.Profile = machine.Fabric8
	}
	for i, d := range []*time.Duration{&c.LeaseDuration, &c.RenewDeadline, &c.RetryPeriod, &c.RequestTimeout} {
		if *d, err = time.ParseDuration(line[[...]int{2, 3, 4, 6}[i]]); err != nil {
			return r, err
		}
	}
	if line[8] == "" {
		return r, nil
	}
	qps, err := strconv.ParseFloat(line[8], 64)
	if err != nil {
		return r, err
	}
	burst, err := strconv.Atoi(line[9])
	r.QPS, r.Burst = &qps, &burst
	return r, err
}

// Site returns a copy of e, the environment in which the project's client is judged. If others use the same limiter, they take
// a whole burst of it at once.
func (r *Row) Site(e bound.Environment, client *plan.Client) *bound.Environment {
	if r.shared && client.Limits() {
		e.OtherBurst = client.Burst
	}
	return &e
}
