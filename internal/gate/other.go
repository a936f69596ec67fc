package gate

import (
	"math"
	"slices"

	"interregnum/internal/bound"
	"interregnum/plan"
)

// This file is the other traffic that a scenario file gives a candidate's client. The arithmetic takes it as a rate and a burst, as
// bound.Environment has them.

// envelope returns a rate, in requests a second, and a burst. In no stretch of time t, both ends included, more requests of all
// entries come than burst + rate·t. An entry counts with its rate and what comes at a time. If the sum of all rates is most or more,
// in requests a second, each entry that ends counts as one burst of all its requests instead. Entries that are drawn do not count.
func envelope(all []plan.Traffic, most float64) (rate float64, burst int) {
	var endingRate float64
	var ending, atOnce int
	for i := range all {
		t := &all[i]
		each := float64(t.Count) / t.Every.Seconds()
		switch {
		case t.Drawn:
		case t.Every == 0:
			burst += t.Count
		case t.Until == nil:
			rate, burst = rate+each, burst+t.Count
		default:
			endingRate, ending = endingRate+each, ending+t.Count
			atOnce += int(min(t.Most(plan.MaxDuration), math.MaxInt32))
		}
	}
	if rate+endingRate < most {
		return rate + endingRate, burst + ending
	}
	return rate, burst + atOnce
}

// drawn tells whether the times of some other traffic are drawn, so that no envelope holds it.
func drawn(all []plan.Traffic) bool {
	return slices.ContainsFunc(all, func(t plan.Traffic) bool { return t.Drawn })
}

// withTraffic raises e.OtherQPS and e.OtherBurst to what the target's own other traffic needs. It returns a files.Problem if that traffic
// is drawn and e says nothing of other traffic: nothing bounds it then. It does nothing for a client without a limiter.
func (t *Target) withTraffic(e *bound.Environment) error {
	if !t.Client.Limits() {
		return nil
	}
	if drawn(t.Other) && e.OtherQPS == 0 && e.OtherBurst == 0 {
		return t.problem("client.other: how many requests come at once has no bound if they are drawn; want otherQPS and otherBurst of the " +
			"environment, or every without drawn")
	}
	rate, burst := envelope(t.Other, limitOf(t, e))
	e.OtherQPS, e.OtherBurst = max(e.OtherQPS, rate), max(e.OtherBurst, burst)
	return nil
}

// limitOf returns how much other traffic, in requests a second, is too much for the target's client: its QPS, or half of it if a
// request can cost two tokens (bound.Environment.Reruns).
func limitOf(t *Target, e *bound.Environment) float64 {
	if e.Reruns {
		return t.Client.QPS / 2
	}
	return t.Client.QPS
}

// OtherFrom returns in words where the numbers of other traffic come from; "" where the environment alone gives them.
func (j *Judgement) OtherFrom() string {
	if len(j.Other) == 0 || !j.Client.Limits() {
		return ""
	}
	rate, burst := envelope(j.Other, limitOf(&j.Target, &j.Environment))
	switch e := &j.Environment; {
	case drawn(j.Other):
		return "the environment; in " + j.ClientFrom + " it is drawn"
	case rate == e.OtherQPS && burst == e.OtherBurst:
		return j.ClientFrom
	case rate == e.OtherQPS && rate > 0 || burst == e.OtherBurst && burst > 0:
		return j.ClientFrom + " and the environment"
	}
	return "the environment, which allows more than " + j.ClientFrom
}
