package behaviour

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/phrase"
)

// recorded decodes the field recorded: it reads the file of the recording, and sets the length of its blocks, to the one that is
// given or to one that it chooses. It adds a warning that says how the recording is divided. It returns nil after a problem.
func (r *reader) recorded(v value) *Recording {
	all := r.only(v, "file", "block")
	file, given := find(all, "file")
	if !given {
		r.fail(v, "file is missing; want what simulate calibrate --recording wrote, such as file: recording.txt")
		return nil
	}
	rec := r.recordingFile(file)
	if r.err != nil {
		return nil
	}
	alike, neighbours := rec.alike()
	longest := rec.Length() / mostBlock
	block, hasBlock := find(all, "block")
	if hasBlock {
		if rec.Block = r.duration(block, time.Second, year); r.err == nil && rec.Block > longest {
			r.fail(block, "is more than a quarter of the recording, which is %s long; want %s at most, or a longer recording",
				roughly(rec.Length()), roughly(longest))
		}
	} else {
		rec.Block = min(max(leastBlock, longBlock*alike), longest).Truncate(time.Second)
		if rec.Block < time.Second {
			r.fail(file, "the recording is %s long; want a minute at least", roughly(rec.Length()))
		}
		block = v
	}
	if r.err != nil {
		return nil
	}
	said := "is cut into blocks of " + phrase.Duration(rec.Block)
	if !hasBlock {
		said += ", which is chosen; block says another length"
	}
	r.warn(block, "%d requests in %s: the recording %s. Requests are like their neighbours by an autocorrelation of %.2f, and no longer alike "+
		"after %s. Intervals do not say by how much another recording would differ", len(rec.All), roughly(rec.Length()), said, neighbours, roughly(alike))
	if rec.Block < 10*alike {
		r.warn(block, "blocks of %s are short beside %s for which requests are alike: much of what comes together is cut apart; want ten "+
			"times that, or a longer recording", phrase.Duration(rec.Block), roughly(alike))
	}
	r.silences(file, rec)
	return rec
}

// silences adds one warning if there are times of more than 10 s, and more than 20 times the mean time between requests, in which
// nothing was recorded.
func (r *reader) silences(v value, rec *Recording) {
	usual := rec.Length() / time.Duration(len(rec.All))
	count, longest, at := 0, time.Duration(0), time.Duration(0)
	for i := 1; i < len(rec.All); i++ {
		if gap := rec.All[i].At - rec.All[i-1].At; gap > max(20*usual, 10*time.Second) {
			count++
			if gap > longest {
				longest, at = gap, rec.All[i-1].At
			}
		}
	}
	if count > 0 {
		r.warn(v, "nothing was recorded for more than %s in %d places, the longest of %s, %s after the first request: a request there counts "+
			"as the recorded one that is nearest. If the server was away, say so by an outage", roughly(max(20*usual, 10*time.Second)), count,
			roughly(longest), roughly(at))
	}
}

// roughly returns a duration in words: rounded to whole seconds if it is above a minute, and to milliseconds otherwise.
func roughly(d time.Duration) string {
	if d > time.Minute {
		d = d.Round(time.Second)
	}
	return phrase.Duration(d.Round(time.Millisecond))
}

// maxRecorded bounds the number of requests of a recording; simulate calibrate keeps no more.
const maxRecorded = 2_000_000

// wantRecorded says in messages what a line of a recording should be.
const wantRecorded = "a line such as 12.5 0.004 200: seconds since the first request, seconds that it took, and the status or lost"

// recordingFile reads the file that v names, with one request on each line, in the order of their beginnings; lines that begin with
// # are comments. It makes all times count from the first request. An audit log, too many requests, requests that all begin at one
// time, and a recording without an answered one are problems; after one, what it returns is not complete. It does not set
// Recording.Block.
func (r *reader) recordingFile(v value) *Recording {
	rec := &Recording{}
	d := r.data(v, "the name of a file, such as recording.txt")
	for line := range d.lines() {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "{") {
			d.fail("looks like an audit log; want what simulate calibrate LOG --recording FILE makes of it")
			return rec
		}
		if len(rec.All) == maxRecorded {
			d.fail("has more than %d requests; want those of one Lease, or of a shorter time", maxRecorded)
			return rec
		}
		x, err := recordedLine(line)
		switch {
		case err != nil:
			d.fail("%v", err)
		case len(rec.All) > 0 && x.At < rec.All[len(rec.All)-1].At:
			d.fail("began before the request in the line before; want requests in the order of their beginnings")
		}
		rec.All = append(rec.All, x)
	}
	for i := len(rec.All) - 1; i >= 0; i-- {
		rec.All[i].At -= rec.All[0].At
	}
	if r.err == nil && (len(rec.All) < 2 || rec.All[len(rec.All)-1].At == 0) {
		d.failIn(0, "has %d requests that begin at different times; want two at least, each in %s", min(1, len(rec.All)), wantRecorded)
	}
	if r.err == nil && !slices.ContainsFunc(rec.All, func(x Recorded) bool { return !x.Failed() }) {
		d.failIn(0, "has no request that was answered; want a recording of a server that answers")
	}
	return rec
}

// recordedLine parses one line of a recording. It returns an error if the line has another form, or a value out of range.
func recordedLine(line string) (x Recorded, err error) {
	other := fmt.Errorf("want %s; got %s", wantRecorded, phrase.Quote(line))
	words := strings.Fields(line)
	if len(words) != 3 {
		return x, other
	}
	at, err := strconv.ParseFloat(words[0], 64)
	took, wrong := strconv.ParseFloat(words[1], 64)
	if err != nil || wrong != nil {
		return x, other
	}
	if x.At, err = scaled(at, time.Second); err != nil {
		return x, err
	}
	if x.Took, err = scaled(took, time.Second); err != nil {
		return x, err
	}
	if words[2] == "lost" {
		return x, nil
	}
	if x.Status, err = strconv.Atoi(words[2]); err != nil || x.Status < 100 || x.Status > 599 {
		return x, other
	}
	return x, nil
}
