package witness

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/trace"
)

// Scraping says how Prometheus looks at the processes' metrics.
type Scraping struct {
	// Offset is how far its clock is ahead of the server's; Every is how long it waits between scrapes, and Takes how long one lasts at most.
	Offset, Every, Takes time.Duration
	// Step is that of a range query, 0 if its samples are given as they were scraped.
	Step time.Duration
}

// drawScraping returns a random way in which Prometheus looks at metrics.
func drawScraping(from *rand.Rand) *Scraping {
	s := &Scraping{
		Offset: time.Duration(from.Int64N(int64(2*maxOffset))) - maxOffset,
		Every:  time.Duration(1+from.IntN(15)) * time.Second,
		Takes:  time.Duration(1 + from.Int64N(int64(10*time.Second))),
	}
	if from.IntN(2) == 0 {
		s.Step = time.Duration(1+from.IntN(20)) * time.Second
	}
	return s
}

// scraped is one scrape of a candidate's metric, as Prometheus keeps it; answered is false if the process did not answer, and
// there is no value.
type scraped struct {
	at       time.Time
	leads    bool
	answered bool
}

// scrape returns the scrapes of a candidate's metric over the whole run, as Prometheus would keep them. When each comes and how
// long it takes is drawn. A process that is dead or stands still does not answer.
func (l *Logs) scrape(candidate int, from *rand.Rand) (all []scraped) {
	s := l.Habits.Scraping
	phase := time.Duration(from.Int64N(int64(s.Every)))
	for at := phase; at < l.Run.Plan.Horizon; at += s.Every {
		jitter := time.Duration(from.IntN(20)) * time.Millisecond
		if l.Run.Seed%2 == 0 {
			jitter = 0 // Prometheus evens times that are nearly even
		}
		answered := at + jitter + time.Duration(from.Float64()*float64(s.Takes))
		x := scraped{at: start.Add(at + jitter + s.Offset).Truncate(time.Millisecond)}
		x.leads, x.answered = l.metric(candidate, answered)
		all = append(all, x)
	}
	return all
}

// metric returns what a candidate's metric says at until, a time since the start of the run. answers is false if the process is
// dead or stands still then.
func (l *Logs) metric(candidate int, until time.Duration) (leads, answers bool) {
	alive, paused := false, false
	for i := range l.Run.Events {
		e := &l.Run.Events[i]
		if time.Duration(e.At) > until {
			break
		}
		if int(e.Candidate) != candidate {
			continue
		}
		switch e.Kind {
		case trace.RunStarted:
			alive = true
		case trace.Crashed:
			alive, leads = false, false
		case trace.Paused, trace.Resumed:
			paused = e.Kind == trace.Paused
		case trace.MetricSet:
			if e.Cause != trace.MetricSlowPath {
				leads = e.Cause == trace.MetricOn
			}
		}
	}
	return leads, alive && !paused
}

// series returns the samples of a candidate's metric: those that were scraped or, if the habits have a step, those that a range
// query returns. Such a query returns for each of its times the last scrape before it, and nothing if that one has failed.
func (l *Logs) series(candidate int, from *rand.Rand) (all []evidence.Sample) {
	values := l.scrape(candidate, from)
	add := func(at time.Time, v *scraped) {
		all = append(all, evidence.Sample{At: at, Process: pod(l.Run.Plan.Candidates[candidate].ID), Name: lockName, Leads: v.leads})
	}
	s := l.Habits.Scraping
	if s.Step == 0 {
		for i := range values {
			if values[i].answered {
				add(values[i].at, &values[i])
			}
		}
		return all
	}
	begin := start.Add(s.Offset).Truncate(time.Millisecond)
	for at := begin; at.Before(begin.Add(l.Run.Plan.Horizon)); at = at.Add(s.Step) {
		k, found := slices.BinarySearchFunc(values, at, func(v scraped, at time.Time) int { return v.at.Compare(at) })
		if !found {
			k--
		}
		if k >= 0 && values[k].answered {
			add(at, &values[k])
		}
	}
	return all
}

// allSeries returns the samples of each candidate that has some; nil without a Prometheus.
func (l *Logs) allSeries() (all [][]evidence.Sample) {
	if l.Habits.Scraping == nil {
		return nil
	}
	from := rand.New(rand.NewPCG(l.Run.Seed, 5))
	for i := range l.Run.Plan.Candidates {
		if s := l.series(i, from); len(s) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// samples adds the samples of Prometheus to e, as one source. If their times can be those of a range query, since they are even
// steps apart or there is one alone, they get an age.
func (l *Logs) samples(e *evidence.Evidence) {
	series := l.allSeries()
	if len(series) == 0 {
		return
	}
	s := evidence.Source{File: "metrics.json", Kind: evidence.Metrics}
	for i, all := range series {
		for _, x := range all {
			s.Lines++
			x.Place = evidence.Place{Source: len(e.Sources), Line: i + 1}
			if l.Habits.Scraping.Step > 0 || len(all) == 1 || l.Run.Seed%2 == 0 {
				x.Age = 5 * time.Minute
			}
			widen(&s, x.At)
			e.Samples = append(e.Samples, x)
		}
	}
	e.Sources = append(e.Sources, s)
}

// prometheus returns the answer of Prometheus with all samples as a file; nil if there are no samples.
func (l *Logs) prometheus() (all []File) {
	series := l.allSeries()
	if len(series) == 0 {
		return nil
	}
	var result []any
	for _, s := range series {
		var values [][2]any
		for _, x := range s {
			value := "0"
			if x.Leads {
				value = "1"
			}
			values = append(values, [2]any{json.Number(strconv.FormatFloat(float64(x.At.UnixMilli())/1000, 'f', 3, 64)), value})
		}
		result = append(result, map[string]any{
			"metric": map[string]string{"__name__": "leader_election_master_status", "name": lockName, "pod": s[0].Process, "instance": fmt.Sprintf("%s:8080", s[0].Process)},
			"values": values,
		})
	}
	text, _ := json.Marshal(map[string]any{"status": "success", "data": map[string]any{"resultType": "matrix", "result": result}})
	return []File{{"metrics.json", string(text)}}
}
