package forecast

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/davecgh/go-spew/spew"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
	"interregnum/internal/results"
)

// keptVersion is the version of files of windows. It changes whenever their lines get another form, or windows are divided into
// strata in another way.
const keptVersion = 5

// KeptHeader is the first line of a file of windows. It says to which forecasts the windows belong. The precision that is asked
// for is not part of it, since windows do not depend on it.
type KeptHeader struct {
	Version int    `json:"interregnumForecast"`
	Seed    uint64 `json:"seed"`
	Shard   uint64 `json:"shard"`
	Shards  uint64 `json:"shards,omitempty"`
	// Usual is the digest of what all questions have in common: behaviour, replicas, restart.
	Usual   string       `json:"usual"`
	Targets []KeptTarget `json:"targets"`
}

// KeptTarget is one question whose windows a file has.
type KeptTarget struct {
	// Timings say to people which question it is. Digest says it to the program.
	Timings string `json:"timings"`
	Digest  string `json:"digest"`
}

// NewKeptHeader returns the header for the forecasts of these questions, which must be about the same behaviour, replicas and
// restart.
func NewKeptHeader(questions []*Question, o *Options) KeptHeader {
	h := KeptHeader{Version: keptVersion, Seed: o.Seed, Shard: o.Shard, Shards: o.Shards}
	if len(questions) > 0 {
		q := questions[0]
		h.Usual = digest(q.Behaviour, q.Replicas, q.Restart)
	}
	for _, q := range questions {
		h.Targets = append(h.Targets, KeptTarget{Timings: timings(&q.Candidate.Timings), Digest: digest(q.Candidate)})
	}
	return h
}

// timings returns the three timings as people write them, with slashes between: lease duration, renew deadline, retry period.
func timings(t *machine.Timings) string {
	return fmt.Sprintf("%v/%v/%v", phrase.Duration(t.LeaseDuration), phrase.Duration(t.RenewDeadline), phrase.Duration(t.RetryPeriod))
}

// digest returns a digest, in hexadecimal digits, of all that the values contain, including fields that are not exported.
func digest(values ...any) string {
	all := spew.ConfigState{DisablePointerAddresses: true, DisableCapacities: true, DisableMethods: true, SortKeys: true}
	sum := sha256.New()
	all.Fdump(sum, values...)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// read decodes the first line of a file of windows into h. It returns an error if the line is no header, or that of another
// version, or if its shard is not below its number of shards.
func (h *KeptHeader) read(line []byte) error {
	d := json.NewDecoder(bytes.NewReader(phrase.Legible(line)))
	d.DisallowUnknownFields()
	if err := d.Decode(h); err != nil {
		return fmt.Errorf("want the header of a forecast's windows as JSON: %s", phrase.JSON(err))
	}
	switch all := max(h.Shards, 1); {
	case h.Version != keptVersion:
		return fmt.Errorf("want windows of version %d, got version %d, of another version of simulate", keptVersion, h.Version)
	case h.Shard >= all:
		return fmt.Errorf("want a shard from 0 to %d, got %d", all-1, h.Shard)
	}
	return nil
}

// same returns an error that says how the first line of a file differs from this header, or that it is no header; nil if it is
// the same.
func (h *KeptHeader) same(line []byte) error {
	var got KeptHeader
	if err := got.read(line); err != nil {
		return err
	}
	var differs []string
	if got.Seed != h.Seed {
		differs = append(differs, fmt.Sprintf("--seed is %d, and was %d", h.Seed, got.Seed))
	}
	if got.Shard != h.Shard || got.Shards != h.Shards {
		differs = append(differs, fmt.Sprintf("--shard is %s, and was %s", h.part(), got.part()))
	}
	if got.Usual != h.Usual {
		differs = append(differs, "the behaviour, --replicas or --restart is another one")
	}
	if d := differing(h.Targets, got.Targets); d != "" {
		differs = append(differs, d)
	}
	if len(differs) == 0 {
		return nil
	}
	return fmt.Errorf("the file is of another forecast: %s; give what it began with, or begin another file", strings.Join(differs, "; "))
}

// part returns the shard as flags write it, such as 0/3; "none" without shards.
func (h *KeptHeader) part() string {
	if h.Shards == 0 {
		return "none"
	}
	return fmt.Sprintf("%d/%d", h.Shard, h.Shards)
}

// differing returns in words the first difference between the wanted targets and those of a file; "" if there is none.
func differing(want, got []KeptTarget) string {
	if len(want) != len(got) {
		return fmt.Sprintf("there are %d targets, and were %d", len(want), len(got))
	}
	for i, t := range want {
		switch {
		case t.Timings != got[i].Timings:
			return fmt.Sprintf("target %d has %s, and had %s", i+1, t.Timings, got[i].Timings)
		case t.Digest != got[i].Digest:
			return fmt.Sprintf("target %d, %s, has another client, lock, timeout, release or drain", i+1, t.Timings)
		}
	}
	return ""
}

// OpenKept opens a file of windows with the header h, or makes one. Forecasts with the result as Options.Kept simulate only
// windows that are not in the file, and append them. If the last line of the file is not complete, it is cut off, and Kept.Cut
// names the file. It returns an error if the file cannot be opened, is of other forecasts, or has a bad line. The caller must
// close the result.
func OpenKept(name string, h KeptHeader) (*Kept, error) {
	k := newKept(h)
	p := &part{name: name, known: map[place][]filed{}}
	k.parts[h.Shard] = p
	f, err := results.Open(name, h, func(n int, line []byte) error {
		if n == 1 {
			return h.same(line)
		}
		return p.line(n, line, len(h.Targets))
	})
	if err != nil {
		return nil, err
	}
	k.file, k.Cut = f, nil
	if f.Dropped {
		k.Cut = []string{name}
	}
	return k, nil
}

// MergeKept reads the files of all shards of a forecast, in any order. A forecast with the result as Options.Kept simulates only
// windows that no shard has, and writes none of them. Kept.Cut names the files whose last line was not complete and was left out.
// h is the header of the forecast without shards. It returns an error if a file cannot be read, has a bad line or is of another
// forecast, and if a shard is there twice or is missing.
func MergeKept(names []string, h KeptHeader) (*Kept, error) {
	var parts []*part
	var all KeptHeader
	cut := []string{}
	for _, name := range names {
		p, got, dropped, err := readPart(name, h)
		if err != nil {
			return nil, err
		}
		if dropped {
			cut = append(cut, name)
		}
		if len(parts) > 0 && got.Shards != all.Shards {
			return nil, fmt.Errorf("%s and %s are of different forecasts: shard %s and shard %s", names[0], name, all.part(), got.part())
		}
		if len(parts) == 0 {
			all = got
		}
		p.shard = got.Shard
		parts = append(parts, p)
	}
	inOrder, err := results.Order(parts, max(1, all.Shards), func(p *part) (string, uint64) { return p.name, p.shard })
	if err != nil {
		return nil, err
	}
	k := newKept(h)
	k.Cut, k.parts = cut, inOrder
	return k, nil
}

// readPart reads the file of one shard of the forecast with the header want, in which no shard is set. It returns the windows of
// the file, and its header. dropped says that the last line was not complete, and was left out. It returns an error if the file
// cannot be read, is of another forecast, has a bad line, or has no complete first line.
func readPart(name string, want KeptHeader) (p *part, got KeptHeader, dropped bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, got, false, err
	}
	defer f.Close()
	p = &part{name: name, known: map[place][]filed{}}
	good, tail, err := results.Read(name, f, func(n int, line []byte) error {
		if n > 1 {
			return p.line(n, line, len(want.Targets))
		}
		if err := got.read(line); err != nil {
			return err
		}
		want.Shard, want.Shards = got.Shard, got.Shards
		return want.same(line)
	})
	if err == nil && good == 0 {
		err = errors.New(name + ":1: want the first line of a forecast's windows, which is not complete")
	}
	return p, got, len(tail) > 0, err
}
