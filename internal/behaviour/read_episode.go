package behaviour

import (
	"strings"
	"time"

	"interregnum/internal/phrase"
)

// episodes decodes the list of episodes. It is a problem if they take more than Fullest of all time.
func (r *reader) episodes(v value) (all []Episode) {
	taken := 0.0
	for _, item := range r.list(v, "a list such as [{kind: outage, every: 7d, lasts: 20s}]", maxEpisodes) {
		e := r.episode(item)
		if r.err != nil {
			return nil
		}
		taken += float64(e.Lasts.Mean()) / float64(e.Every)
		if taken > Fullest {
			r.fail(item, "the episodes up to here take %s of all time on average; want %s at most, since nothing would be "+
				"usual then: rarer or shorter ones", percent(taken), percent(Fullest))
		}
		all = append(all, e)
	}
	return all
}

// episode decodes one episode, with all its fields. An unknown field, and one that does not belong to its kind, is a problem.
func (r *reader) episode(v value) (e Episode) {
	all := r.only(v, "kind", "every", "rate", "lasts", "startup", "on", "factor", "roundTrip", "errors", "surge", "maxUnavailable", "readiness", "gracePeriod")
	e.Kind = r.kind(v, all)
	e.Every = r.every(v, all)
	e.On = r.whom(e.Kind, all)
	r.length(&e, v, all)
	r.slower(&e, v, all)
	r.rolling(&e, v, all)
	return e
}

// length decodes e.Lasts: how long an episode lasts or, for a rollout and a node drain, how long a new process takes to start. It
// takes this from the field lasts or, for these two, from startup; they take r.startup if that field is missing. It is a problem
// if the field of the other kinds is there, if nothing says how long, and if an episode that starts no process lasts for no time.
func (r *reader) length(e *Episode, v value, all []field) {
	lasts, hasLasts := find(all, "lasts")
	startup, hasStartup := find(all, "startup")
	replaces := e.Kind == NodeDrain || e.Kind == Rollout
	switch {
	case hasStartup && !replaces:
		r.fail(startup, "belongs to a rollout or a node-drain; this is of kind %s", e.Kind)
	case hasLasts && replaces:
		r.fail(lasts, "does not belong to a %s, which is over when it is over; want startup, how long a new process takes to start", e.Kind)
	case hasStartup:
		e.Lasts = r.distribution(startup, year)
	case hasLasts:
		e.Lasts = r.distribution(lasts, year)
		if r.err == nil && !e.Kind.Starts() && e.Lasts.Mean() == 0 {
			r.fail(lasts, "want a duration above zero")
		}
	case replaces && r.startup != nil:
		e.Lasts = *r.startup
	case replaces:
		r.fail(v, "startup is missing; want how long a new process takes to start, such as startup: 5s, here or beside episodes")
	default:
		r.fail(v, "lasts is missing; want how long the episode lasts, such as lasts: 20s")
	}
}

// rolling decodes e.Rolling, whose Grace is 30 s if none is given, and sets e.On to Everybody, for a rollout. It is a problem if the
// rollout is on anybody else, or if both surge and maxUnavailable are 0. For another kind of episode it decodes nothing, and it is a
// problem if one of a rollout's fields is there.
func (r *reader) rolling(e *Episode, v value, all []field) {
	if e.Kind != Rollout {
		r.others(e.Kind, Rollout, all, "surge", "maxUnavailable", "readiness", "gracePeriod")
		return
	}
	if f, given := find(all, "on"); given && e.On != Everybody {
		r.fail(f, "a rollout is on everybody; want node-drain for the process of one")
	}
	e.On = Everybody
	e.Rolling.Surge, e.Rolling.Unavailable = r.pods(all, "surge"), r.pods(all, "maxUnavailable")
	if s, u := e.Rolling.Surge, e.Rolling.Unavailable; s != nil && u != nil && *s+*u == 0 {
		r.fail(v, "surge and maxUnavailable are 0, so that it can do nothing; want 1 or more for one of them")
	}
	if f, given := find(all, "readiness"); given {
		e.Rolling.Leading = oneOf(r, f, []string{"always", "leading"}) == "leading"
	}
	e.Rolling.Grace = 30 * time.Second // that of a pod
	if f, given := find(all, "gracePeriod"); given {
		e.Rolling.Grace = r.duration(f, 0, year)
	}
}

// others records a problem for each of the named fields that is there: they belong to episodes of the second kind, and this one
// is of the first.
func (r *reader) others(kind, of Kind, all []field, names ...string) {
	for _, name := range names {
		if f, given := find(all, name); given {
			r.fail(f, "belongs to a %s; this is of kind %s", of, kind)
		}
	}
}

// pods decodes a number of pods from 0 to 20; nil if the field is not there.
func (r *reader) pods(all []field, name string) *int {
	f, given := find(all, name)
	if !given {
		return nil
	}
	return new(r.whole(f, "a number of pods from 0 to 20", 0, 20))
}

// kind decodes the kind of the episode v from its fields. It is a problem if the field kind is missing, or is none of Kinds.
func (r *reader) kind(v value, all []field) Kind {
	f, given := find(all, "kind")
	if !given {
		r.fail(v, "kind is missing; want %s", phrase.Or(textsOf(Kinds())))
		return ""
	}
	return oneOf(r, f, Kinds())
}

// whom decodes whom an episode of kind k affects. If nothing is said, this is everybody for an episode on messages, and one
// process for any other.
func (r *reader) whom(k Kind, all []field) Whom {
	f, given := find(all, "on")
	if !given {
		if k.OnMessages() {
			return Everybody
		}
		return One
	}
	return oneOf(r, f, []Whom{Everybody, One, Leader})
}

// slower decodes the fields of a brownout: by how much it makes answers slower, as exactly one of factor and roundTrip, and how
// requests fail in it. It is a problem if both or neither of the two are there, if factor is not above 1, and if another kind of
// episode has one of these fields.
func (r *reader) slower(e *Episode, v value, all []field) {
	factor, hasFactor := find(all, "factor")
	roundTrip, hasRoundTrip := find(all, "roundTrip")
	if f, given := find(all, "errors"); given && e.Kind == Brownout {
		e.Errors = append([]Error{}, r.errors(f)...)
	}
	switch {
	case e.Kind != Brownout:
		r.others(e.Kind, Brownout, all, "factor", "roundTrip", "errors")
	case hasFactor && hasRoundTrip:
		r.fail(v, "has factor and roundTrip; want one of them")
	case hasFactor:
		const most = 1e6
		text := r.text(factor, "a number such as 5")
		n, ok := number(text, most)
		if !ok || n <= 1 {
			r.fail(factor, "want a number above 1, and 1000000 at most, such as 5; got %s", phrase.Quote(text))
		}
		e.Factor = n
	case hasRoundTrip:
		d := r.distribution(roundTrip, LongestTrip)
		e.RoundTrip = &d
	default:
		r.fail(v, "is a brownout without factor or roundTrip; want one of them, such as factor: 5")
	}
}

// every decodes the mean time between two beginnings of an episode, which is given by the field every as a time or by the field
// rate as a rate. It is a problem if both or neither are there.
func (r *reader) every(v value, all []field) time.Duration {
	every, hasEvery := find(all, "every")
	rate, hasRate := find(all, "rate")
	switch {
	case hasEvery && hasRate:
		r.fail(v, "has every and rate; want one of them")
	case hasEvery:
		return r.duration(every, shortestEvery, century)
	case hasRate:
		return r.rate(rate)
	default:
		r.fail(v, "every is missing; want how often it happens, such as every: 7d or rate: 2/30d")
	}
	return 0
}

// shortestEvery is the shortest mean time that is allowed between two beginnings of an episode.
const shortestEvery = time.Millisecond

// rate decodes a rate such as 2/30d, and returns the mean time between two beginnings, here 15 days. Any other text, and a mean
// time that is too short or too long, is a problem.
func (r *reader) rate(v value) time.Duration {
	const want = "a number above zero and a time, such as 2/30d"
	text := r.text(v, want)
	if r.err != nil {
		return 0
	}
	count, span, ok := strings.Cut(text, "/")
	n, isNumber := number(strings.TrimSpace(count), 1e9)
	if !ok || !isNumber || n == 0 {
		r.fail(v, "want %s, got %s", want, phrase.Quote(text))
		return 0
	}
	d, err := parseDuration(strings.TrimSpace(span), 1, century)
	every := float64(d) / n
	switch {
	case err != nil:
		r.fail(v, "%v", err)
	case every < float64(shortestEvery) || every > float64(century):
		r.fail(v, "want between one in %s and one in %s, got %s", phrase.Duration(shortestEvery), days(century), phrase.Clip(text))
	}
	return time.Duration(every)
}
