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

// Row is the configuration of one project. Its profile is client-go or fabric8.
type Row struct {
	Project string
	Config  bound.Config
	// Kind is the kind of the lock's client; with the profile fabric8 it is that profile's name. QPS and Burst are the numbers of
	// the client's limiter; nil where the project sets none.
	Kind  string
	QPS   *float64
	Burst *int
	// shared: other parts of the program use the same limiter.
	shared bool
}

// Read returns the rows of the CSV file with that name, without its first line, which must be there. Each line has eleven fields.
// It stops at the first bad row; the error names the file and, for a row, the project.
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

// row returns the row for the fields of a line, of which there must be eleven. It returns an error if a number or a duration
// cannot be read. QPS and Burst of the row stay nil if the field of QPS is empty.
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

// Site returns a copy of e as the environment in which the project is judged with that client. If others share the client's
// limiter, the copy says that they can take a whole burst at once.
func (r *Row) Site(e bound.Environment, client *plan.Client) *bound.Environment {
	if r.shared && client.Limits() {
		e.OtherBurst = client.Burst
	}
	return &e
}
