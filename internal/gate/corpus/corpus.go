// Package corpus reads the timings of real projects (testdata/corpus) for the tests of the pages that judge them.
package corpus

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// Row is the configuration of one project. Its profile is fabric8, or what the newest version of client-go does that the project can have. No
// profile has a release by code of the program's own: a row with one has client-go-v0.17, of which no bound is known either.
type Row struct {
	Project string
	Config  bound.Config
	// Kind is the kind of the lock's client; with the profile fabric8 it is that profile's name. QPS and Burst are the numbers of
	// the client's limiter; nil where the project sets none.
	Kind  string
	QPS   *float64
	Burst *int
	// ClientGo is the version of client-go in words, such as "before v0.24", and Lock the name of the kind of lock; "" where nobody knows
	// it. Config.Lock is a Lease then, and for a lock that the profile does not have.
	ClientGo, Lock string
	// Alike: all that ClientGo can be, and Lock, do what Config says.
	Alike bool
	// shared: other parts of the program use the same limiter.
	shared bool
}

// Read returns the rows of the CSV file with that name, without its first line, which must be there. Each line has sixteen fields.
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

// row returns the row for the fields of a line, of which there must be sixteen. It returns an error if a number, a duration or a
// version cannot be read, and for a kind of lock that is not known. QPS and Burst of the row stay nil if the field of QPS is empty.
func row(line []string) (r Row, err error) {
	r = Row{Project: line[0], Kind: line[7], shared: line[10] == "true", ClientGo: line[12], Lock: line[13]}
	c := &r.Config
	c.ReleaseOnCancel = line[5] != "false"
	for i, d := range []*time.Duration{&c.LeaseDuration, &c.RenewDeadline, &c.RetryPeriod, &c.RequestTimeout} {
		if *d, err = time.ParseDuration(line[[...]int{2, 3, 4, 6}[i]]); err != nil {
			return r, err
		}
	}
	if err := r.library(); err != nil {
		return r, err
	}
	if line[5] == "own" {
		c.Profile, c.Minor = machine.ClientGoV017, 0
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

// library sets the profile, Minor and the lock of r.Config, and r.Alike, to what r says in words. The timings and the release must be set. The
// error is for words that are not known.
func (r *Row) library() error {
	c := &r.Config
	c.Lock = cmp.Or(plan.Lock(r.Lock), plan.Lease)
	if !slices.Contains(plan.Locks(), c.Lock) {
		return fmt.Errorf("%s is not a kind of lock", r.Lock)
	}
	v, err := readVersion(r.ClientGo)
	if err != nil {
		return err
	}
	v.set(c)
	if r.Alike = v.alike(c.LeaseDuration, c.ReleaseOnCancel); r.Kind == machine.Fabric8.Name {
		c.Profile, c.Minor, r.Alike = machine.Fabric8, 0, true
	}
	if !c.Lock.TakenBy(&c.Profile) {
		c.Lock, r.Alike = plan.Lease, false
	}
	r.Alike = r.Alike && r.Lock != ""
	return nil
}

// Library returns in words the version of client-go and the kind of lock, as in "v0.33.2, lease"; "?" stands for what nobody knows. A tilde
// comes first where the row is not alike.
func (r *Row) Library() string {
	words := cmp.Or(r.ClientGo, "?")
	if r.Kind == machine.Fabric8.Name {
		words = r.Kind
	}
	words += ", " + cmp.Or(r.Lock, "?")
	if !r.Alike {
		words = "~ " + words
	}
	return words
}

// Site returns a copy of e as the environment in which the project is judged with that client. If others share the client's
// limiter, the copy says that they can take a whole burst at once.
func (r *Row) Site(e bound.Environment, client *plan.Client) *bound.Environment {
	if r.shared && client.Limits() {
		e.OtherBurst = client.Burst
	}
	return &e
}
