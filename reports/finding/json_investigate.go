package finding

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/reports"
)

// investigationJSON is what follows from logs. Its form is stable: fields may be added, never changed.
type investigationJSON struct {
	Verdict  investigate.Verdict `json:"verdict,omitempty"`
	Locks    []lockStoryJSON     `json:"locks"`
	Sources  []sourceJSON        `json:"sources"`
	Timings  string              `json:"timingsFrom,omitempty"`
	Outages  []reports.Outage    `json:"outages,omitempty"`
	TooMany  bool                `json:"tooManyForOutages,omitempty"`
	Problems []string            `json:"problems,omitempty"`
}

// lockStoryJSON is the story of one lock. Terms refer to writes, and pairs and losses to terms, by index.
type lockStoryJSON struct {
	Resource    string               `json:"resource"`
	Namespace   string               `json:"namespace"`
	Name        string               `json:"name"`
	Verdict     investigate.Verdict  `json:"verdict,omitempty"`
	Holders     int                  `json:"holders,omitempty"`
	Transitions *int                 `json:"transitions,omitempty"`
	LeastMoves  int                  `json:"transitionsAtLeast,omitempty"`
	Gap         *time.Duration       `json:"longestGapNs,omitempty"`
	GapAfter    *placeJSON           `json:"longestGapAfter,omitempty"`
	Slowest     *time.Duration       `json:"slowestWriteNs,omitempty"`
	SlowestAt   *placeJSON           `json:"slowestWrite,omitempty"`
	Conflicts   *int                 `json:"conflicts,omitempty"`
	Throttled   *int                 `json:"throttled,omitempty"`
	Failed      *int                 `json:"failed,omitempty"`
	LeastClash  int                  `json:"conflictsAtLeast,omitempty"`
	LeastLimits int                  `json:"throttledAtLeast,omitempty"`
	LeastFailed int                  `json:"failedAtLeast,omitempty"`
	Terms       []investigatedTerm   `json:"terms"`
	Writes      []investigatedWrite  `json:"writes"`
	Pairs       []pairJSON           `json:"pairs"`
	Losses      []lossJSON           `json:"losses"`
	Processes   []processJSON        `json:"processes"`
	Offsets     []offsetJSON         `json:"offsets"`
	Timings     []investigate.Timing `json:"timings"`
	Sightings   []sightingJSON       `json:"sightings,omitempty"`
	Unseen      int                  `json:"unseenTerms,omitempty"`
	Shared      bool                 `json:"sharedName,omitempty"`
	Reasons     []reasonJSON         `json:"reasons,omitempty"`
	Notes       []string             `json:"notes"`
}

// sightingJSON has what an object, an event or a metric shows. Each time has the earliest and the latest that it stands for.
type sightingJSON struct {
	Sign        investigate.Sign `json:"sign"`
	Holder      string           `json:"holder,omitempty"`
	First       *time.Time       `json:"firstFrom,omitempty"`
	FirstUntil  *time.Time       `json:"firstUntil,omitempty"`
	Last        *time.Time       `json:"lastFrom,omitempty"`
	LastUntil   *time.Time       `json:"lastUntil,omitempty"`
	Times       int              `json:"times"`
	Transitions *int             `json:"transitions,omitempty"`
	Places      []placeJSON      `json:"places"`
	By          string           `json:"by,omitempty"`
	Relayed     bool             `json:"relayed,omitempty"`
}

// reasonJSON is why a process gave up, or did not lead, in the words of its own log. At and GaveUpAt are left out if its log does not
// say that it led.
type reasonJSON struct {
	Process string      `json:"process"`
	At      *placeJSON  `json:"at,omitempty"`
	GaveUp  *time.Time  `json:"gaveUpAt,omitempty"`
	Said    []quoteJSON `json:"said"`
}

// quoteJSON is a line of a log.
type quoteJSON struct {
	Text string     `json:"text"`
	At   placeJSON  `json:"at"`
	Time *time.Time `json:"writtenAt,omitempty"`
}

// placeJSON is a line of a file.
type placeJSON struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// investigatedTerm is a term of a holder. First and Last are indices of its first and its last write.
type investigatedTerm struct {
	Holder   string     `json:"holder"`
	First    int        `json:"firstWrite"`
	Last     int        `json:"lastWrite"`
	Released *time.Time `json:"releasedAt,omitempty"`
	Foreign  bool       `json:"otherClient,omitempty"`
	Worked   spanJSON   `json:"worked"`
	Believed spanJSON   `json:"believed"`
}

// spanJSON has the bounds of a span. A bound that is not known is left out. From and Until are left out if there is no instant at
// which the span certainly lasts.
type spanJSON struct {
	PossibleFrom *time.Time `json:"possiblyFrom,omitempty"`
	From         *time.Time `json:"certainlyFrom,omitempty"`
	Until        *time.Time `json:"certainlyUntil,omitempty"`
	PossibleTo   *time.Time `json:"possiblyUntil,omitempty"`
	Why          []linkJSON `json:"why"`
}

// investigatedWrite is a write that the audit log has, with the record that it wrote.
type investigatedWrite struct {
	At       placeJSON     `json:"at"`
	Received time.Time     `json:"receivedAt"`
	Answered time.Time     `json:"answeredAt"`
	Holder   string        `json:"holder"`
	Renew    *time.Time    `json:"renewTime,omitempty"`
	Lease    time.Duration `json:"leaseDurationNs"`
	Changes  int           `json:"transitions"`
	Follows  bool          `json:"follows"`
}

// linkJSON is a step of a chain of evidence, with the places where it stands in the logs.
type linkJSON struct {
	Text     string      `json:"text"`
	Places   []placeJSON `json:"places,omitempty"`
	Earliest *time.Time  `json:"earliestAt,omitempty"`
	Latest   *time.Time  `json:"latestAt,omitempty"`
}

// pairJSON is a change of the holder. Old and New are indices of terms.
type pairJSON struct {
	Old      int           `json:"old"`
	New      int           `json:"new"`
	Worked   judgementJSON `json:"worked"`
	Believed judgementJSON `json:"believed"`
}

// judgementJSON says whether two did something at once, and what shows it.
type judgementJSON struct {
	Verdict      investigate.Verdict `json:"verdict"`
	PossibleFrom *time.Time          `json:"possiblyFrom,omitempty"`
	From         *time.Time          `json:"certainlyFrom,omitempty"`
	Until        *time.Time          `json:"certainlyUntil,omitempty"`
	PossibleTo   *time.Time          `json:"possiblyUntil,omitempty"`
	AtMost       *time.Duration      `json:"atMostNs,omitempty"`
	Chain        []linkJSON          `json:"chain"`
}

// lossJSON says why a term ended. Term is its index.
type lossJSON struct {
	Term  int               `json:"term"`
	Cause investigate.Cause `json:"cause"`
	Chain []linkJSON        `json:"chain"`
}

// processJSON is what the processes of one host asked of the lock. What is counted of requests is left out if no request about the lock is logged.
type processJSON struct {
	Name     string         `json:"name,omitempty"`
	Agent    string         `json:"userAgent,omitempty"`
	From     string         `json:"address,omitempty"`
	Names    *int           `json:"names,omitempty"`
	Starts   int            `json:"starts,omitempty"`
	Reads    *int           `json:"reads,omitempty"`
	Writes   *int           `json:"writes,omitempty"`
	Accepted *int           `json:"accepted,omitempty"`
	Refused  *int           `json:"refused,omitempty"`
	Failed   *int           `json:"failed,omitempty"`
	Slowest  *time.Duration `json:"slowestNs,omitempty"`
	Requests []askedJSON    `json:"requests"`
}

// askedJSON is a request about the lock. Status is 0 if the server panicked or gave up.
type askedJSON struct {
	At       placeJSON `json:"at"`
	Received time.Time `json:"receivedAt"`
	Answered time.Time `json:"answeredAt"`
	Verb     string    `json:"verb"`
	Status   int       `json:"status,omitempty"`
}

// offsetJSON says what must be added to the times of a file to get the API server's.
type offsetJSON struct {
	File string         `json:"file"`
	Name string         `json:"identity"`
	Low  *time.Duration `json:"atLeastNs,omitempty"`
	High *time.Duration `json:"atMostNs,omitempty"`
}

// sourceJSON is a file that was read.
type sourceJSON struct {
	File    string           `json:"file"`
	Kind    evidence.Kind    `json:"kind"`
	Process string           `json:"process,omitempty"`
	Within  string           `json:"container,omitempty"`
	Assumed bool             `json:"processAssumed,omitempty"`
	First   *time.Time       `json:"firstAt,omitempty"`
	Last    *time.Time       `json:"lastAt,omitempty"`
	Lines   int64            `json:"lines"`
	Skipped map[string]int64 `json:"skipped,omitempty"`
	Notes   []string         `json:"notes,omitempty"`
}

// InvestigationJSON writes what follows from logs as one line of JSON, with the worst verdict of all locks. Of the objects in the
// logs it writes nothing but their records.
func InvestigationJSON(w io.Writer, v *reports.Investigation) error {
	out := investigationJSON{Sources: listOf(v.Evidence.Sources, sourceOf), Timings: v.Timings, Problems: v.Problems, TooMany: v.TooMany, Outages: v.Outages}
	for i := range v.Locks {
		if verdict := v.Locks[i].Verdict(); verdict == investigate.Certain || out.Verdict == "" || out.Verdict == investigate.Impossible && verdict != "" {
			out.Verdict = verdict
		}
	}
	line, err := json.Marshal(&out)
	if err != nil {
		return err
	}
	// The locks are written one by one, since there may be very many.
	const locks = `"locks":null`
	before, after, _ := bytes.Cut(line, []byte(locks))
	b, n := bufio.NewWriter(w), naming{e: v.Evidence}
	b.Write(before)
	b.WriteString(`"locks":[`)
	for i := range v.Locks {
		n.when = v.Locks[i].When
		text, err := json.Marshal(n.lock(&v.Locks[i]))
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(text)
	}
	b.WriteByte(']')
	b.Write(after)
	b.WriteByte('\n')
	return b.Flush()
}

// sourceOf returns the JSON form of a source.
func sourceOf(x *evidence.Source) sourceJSON {
	skipped := map[string]int64{}
	for _, k := range x.Skipped {
		skipped[k.Why] += k.Count
	}
	return sourceJSON{x.File, x.Kind, x.Process, x.Container, x.Assumed, known(x.First), known(x.Last), x.Lines, skipped, x.Notes}
}

// naming makes JSON forms of what refers to places in the evidence: it replaces the index of a source by the name of its file.
type naming struct {
	e *evidence.Evidence
	// when has the times of places, as far as they are known.
	when map[evidence.Place]investigate.Instant
}

// place returns the JSON form of a place: file and line.
func (n naming) place(p *evidence.Place) placeJSON {
	return placeJSON{n.e.Sources[p.Source].File, p.Line}
}

// chain returns the JSON form of a chain of evidence.
func (n naming) chain(links []investigate.Link) []linkJSON {
	return listOf(links, func(l *investigate.Link) linkJSON {
		out := linkJSON{Text: l.Text, Places: listOf(l.Places, n.place)}
		if len(l.Places) > 0 {
			at := n.when[l.Places[0]]
			out.Earliest, out.Latest = known(at.Low), known(at.High)
		}
		return out
	})
}

// tally returns how often something happened, nil if that is not known, and how often at least if no more is known.
func tally(n investigate.Tally) (all *int, least int) {
	if n.Whole {
		return &n.Least, 0
	}
	return nil, n.Least
}

// lock returns the JSON form of a lock's story. It leaves out the longest gap and the slowest write if there are none.
func (n naming) lock(x *reports.LockStory) lockStoryJSON {
	out := lockStoryJSON{
		Resource: x.Lock.Resource, Namespace: x.Lock.Namespace, Name: x.Lock.Name, Verdict: x.Verdict(),
		Holders: x.Holders,
		Terms:   listOf(x.Terms, n.term), Writes: listOf(x.Writes, n.write), Pairs: listOf(x.Pairs, n.pair), Losses: listOf(x.Losses, n.loss), Processes: listOf(x.Processes, n.process),
		Offsets: listOf(x.Offsets, n.offset), Sightings: listOf(x.Sightings, n.sighting), Unseen: x.Unseen, Shared: x.Shared,
		Reasons: listOf(x.Reasons, n.reason), Notes: append([]string{}, x.Notes...),
		Timings: append([]investigate.Timing{}, x.Timings...),
	}
	out.Transitions, out.LeastMoves = tally(x.Transitions)
	out.Conflicts, out.LeastClash = tally(x.Conflicts)
	out.Throttled, out.LeastLimits = tally(x.Throttled)
	out.Failed, out.LeastFailed = tally(x.Failed)
	if !x.Asked() {
		for i := range out.Processes {
			p := &out.Processes[i]
			p.Names, p.Reads, p.Writes, p.Accepted, p.Refused, p.Failed, p.Slowest = nil, nil, nil, nil, nil, nil, nil
		}
	}
	if x.GapAfter >= 0 {
		at := n.place(&x.Writes[x.GapAfter].Place)
		out.Gap, out.GapAfter = &x.Gap, &at
	}
	if x.Slowest != nil {
		d, at := x.Slowest.Answered.Sub(x.Slowest.Received), n.place(&x.Slowest.Place)
		out.Slowest, out.SlowestAt = &d, &at
	}
	return out
}

// term returns the JSON form of a term.
func (n naming) term(t *investigate.Term) investigatedTerm {
	return investigatedTerm{t.Holder, t.First, t.Last, known(t.Released), t.Foreign, n.span(&t.Worked), n.span(&t.Belief)}
}

// write returns the JSON form of a write of the record; its times are in UTC.
func (n naming) write(t *investigate.Write) investigatedWrite {
	r := &t.Record
	return investigatedWrite{n.place(&t.Place), t.Received.UTC(), t.Answered.UTC(), r.Holder, known(r.Renew), r.Duration, r.Transitions, t.Follows}
}

// pair returns the JSON form of a change of the holder, with the judgements on work and belief.
func (n naming) pair(p *investigate.Pair) pairJSON {
	return pairJSON{p.Old, p.New, n.judgement(&p.Worked), n.judgement(&p.Believed)}
}

// loss returns the JSON form of the end of a term, with its cause.
func (n naming) loss(l *investigate.Loss) lossJSON {
	return lossJSON{l.Term, l.Cause, n.chain(l.Chain)}
}

// process returns the JSON form of a process and of its requests. It leaves out how long they took if that is not known.
func (n naming) process(p *investigate.Process) processJSON {
	slowest := &p.Slowest
	if p.Untimed {
		slowest = nil
	}
	return processJSON{p.Name, p.Agent, p.From, &p.Names, p.Stands, &p.Reads, &p.Writes, &p.Accepted, &p.Refused, &p.Failed, slowest,
		listOf(p.Requests, func(q **evidence.Request) askedJSON {
			return askedJSON{n.place(&(*q).Place), (*q).Received.UTC(), (*q).Answered.UTC(), (*q).Verb, (*q).Status}
		})}
}

// offset returns the JSON form of what must be added to the times of a file to get the API server's. The offset must have a
// source.
func (n naming) offset(o *investigate.Offset) offsetJSON {
	return offsetJSON{n.e.Sources[o.Source].File, o.Identity, o.Low, o.High}
}

// sighting returns the JSON form of a sighting. It leaves out times and transitions that are not known.
func (n naming) sighting(s *investigate.Sighting) sightingJSON {
	out := sightingJSON{s.Sign, s.Holder, known(s.First.Low), known(s.First.High), known(s.Last.Low), known(s.Last.High), s.Times, nil, nil, s.By, s.Relayed}
	if s.Transitions >= 0 {
		out.Transitions = &s.Transitions
	}
	for i := range s.Places {
		out.Places = append(out.Places, n.place(&s.Places[i]))
	}
	return out
}

// reason returns the JSON form of what a process's log says of why it gave up, or did not lead.
func (n naming) reason(r *investigate.Reason) reasonJSON {
	out := reasonJSON{Process: r.Process, GaveUp: known(r.At.Low)}
	if out.GaveUp != nil {
		at := n.place(&r.Place)
		out.At = &at
	}
	out.Said = listOf(r.Said, func(q *investigate.Quote) quoteJSON { return quoteJSON{q.Text, n.place(&q.Place), known(q.At.Low)} })
	return out
}

// judgement returns the JSON form of a judgement on whether two did something at once.
func (n naming) judgement(j *investigate.Judgement) judgementJSON {
	return judgementJSON{j.Verdict, known(j.Earliest), known(j.From), known(j.Until), known(j.Latest), j.AtMost, n.chain(j.Chain)}
}

// span returns the JSON form of a span. It leaves out bounds that are not known, and the certain part if there is none.
func (n naming) span(x *investigate.Span) spanJSON {
	out := spanJSON{PossibleFrom: known(x.Start.Low), PossibleTo: known(x.End.High), Why: n.chain(x.Why)}
	if from, until := x.Start.High, x.End.Low; !from.IsZero() && from.Before(until) {
		out.From, out.Until = known(from), known(until)
	}
	return out
}

// known returns a pointer to a time, in UTC; nil for the zero value.
func known(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC()
	return &at
}
