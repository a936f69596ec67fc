package finding

import (
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
	Problems []string            `json:"problems,omitempty"`
}

type lockStoryJSON struct {
	Resource    string               `json:"resource"`
	Namespace   string               `json:"namespace"`
	Name        string               `json:"name"`
	Verdict     investigate.Verdict  `json:"verdict,omitempty"`
	Holders     int                  `json:"holders"`
	Transitions int                  `json:"transitions"`
	Gap         *time.Duration       `json:"longestGapNs,omitempty"`
	GapAfter    *placeJSON           `json:"longestGapAfter,omitempty"`
	Slowest     *time.Duration       `json:"slowestWriteNs,omitempty"`
	SlowestAt   *placeJSON           `json:"slowestWrite,omitempty"`
	Conflicts   int                  `json:"conflicts"`
	Throttled   int                  `json:"throttled"`
	Failed      int                  `json:"failed"`
	Terms       []investigatedTerm   `json:"terms"`
	Writes      []investigatedWrite  `json:"writes"`
	Pairs       []pairJSON           `json:"pairs"`
	Losses      []lossJSON           `json:"losses"`
	Offsets     []offsetJSON         `json:"offsets"`
	Timings     []investigatedTiming `json:"timings"`
	Sightings   []sightingJSON       `json:"sightings,omitempty"`
	Unseen      int                  `json:"unseenTerms,omitempty"`
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
}

type placeJSON struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

type investigatedTerm struct {
	Holder   string     `json:"holder"`
	First    int        `json:"firstWrite"`
	Last     int        `json:"lastWrite"`
	Released *time.Time `json:"releasedAt,omitempty"`
	Foreign  bool       `json:"otherClient,omitempty"`
	Worked   spanJSON   `json:"worked"`
	Believed spanJSON   `json:"believed"`
}

// spanJSON has a span's bounds. What nothing bounds is left out, and so is what is certain if there is no such instant.
type spanJSON struct {
	PossibleFrom *time.Time `json:"possiblyFrom,omitempty"`
	From         *time.Time `json:"certainlyFrom,omitempty"`
	Until        *time.Time `json:"certainlyUntil,omitempty"`
	PossibleTo   *time.Time `json:"possiblyUntil,omitempty"`
	Why          []linkJSON `json:"why"`
}

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

type linkJSON struct {
	Text   string      `json:"text"`
	Places []placeJSON `json:"places,omitempty"`
}

type pairJSON struct {
	Old      int           `json:"old"`
	New      int           `json:"new"`
	Worked   judgementJSON `json:"worked"`
	Believed judgementJSON `json:"believed"`
}

type judgementJSON struct {
	Verdict investigate.Verdict `json:"verdict"`
	AtMost  *time.Duration      `json:"atMostNs,omitempty"`
	Chain   []linkJSON          `json:"chain"`
}

type lossJSON struct {
	Term  int               `json:"term"`
	Cause investigate.Cause `json:"cause"`
	Chain []linkJSON        `json:"chain"`
}

type offsetJSON struct {
	File string         `json:"file"`
	Name string         `json:"identity"`
	Low  *time.Duration `json:"atLeastNs,omitempty"`
	High *time.Duration `json:"atMostNs,omitempty"`
}

type investigatedTiming struct {
	Name     string         `json:"name"`
	Low      *time.Duration `json:"atLeastNs,omitempty"`
	High     *time.Duration `json:"atMostNs,omitempty"`
	Inferred bool           `json:"inferred"`
}

type sourceJSON struct {
	File    string           `json:"file"`
	Kind    evidence.Kind    `json:"kind"`
	Process string           `json:"process,omitempty"`
	Assumed bool             `json:"processAssumed,omitempty"`
	First   *time.Time       `json:"firstAt,omitempty"`
	Last    *time.Time       `json:"lastAt,omitempty"`
	Lines   int64            `json:"lines"`
	Skipped map[string]int64 `json:"skipped,omitempty"`
	Notes   []string         `json:"notes,omitempty"`
}

// InvestigationJSON writes what follows from logs as one line of JSON. It has nothing of objects but their records.
func InvestigationJSON(w io.Writer, v *reports.Investigation) error {
	out := investigationJSON{Locks: []lockStoryJSON{}, Sources: []sourceJSON{}, Timings: v.Timings, Problems: v.Problems}
	n := naming{v.Evidence}
	for i := range v.Locks {
		x := &v.Locks[i]
		out.Locks = append(out.Locks, n.lock(x))
		if verdict := x.Verdict(); verdict == investigate.Certain || out.Verdict == "" || out.Verdict == investigate.Impossible && verdict != "" {
			out.Verdict = verdict
		}
	}
	for i := range v.Evidence.Sources {
		x := &v.Evidence.Sources[i]
		s := sourceJSON{x.File, x.Kind, x.Process, x.Assumed, known(x.First), known(x.Last), x.Lines, nil, x.Notes}
		for _, k := range x.Skipped {
			if s.Skipped == nil {
				s.Skipped = map[string]int64{}
			}
			s.Skipped[k.Why] += k.Count
		}
		out.Sources = append(out.Sources, s)
	}
	return writeLine(w, &out)
}

// naming names places by their files.
type naming struct{ e *evidence.Evidence }

func (n naming) place(p evidence.Place) placeJSON {
	return placeJSON{n.e.Sources[p.Source].File, p.Line}
}

func (n naming) chain(links []investigate.Link) []linkJSON {
	all := []linkJSON{}
	for _, l := range links {
		out := linkJSON{Text: l.Text}
		for _, p := range l.Places {
			out.Places = append(out.Places, n.place(p))
		}
		all = append(all, out)
	}
	return all
}

// lock returns the JSON form of a lock's story.
func (n naming) lock(x *reports.LockStory) lockStoryJSON {
	out := lockStoryJSON{
		Resource: x.Lock.Resource, Namespace: x.Lock.Namespace, Name: x.Lock.Name, Verdict: x.Verdict(),
		Holders: x.Holders, Transitions: x.Transitions, Conflicts: x.Conflicts, Throttled: x.Throttled, Failed: x.Failed,
		Terms: []investigatedTerm{}, Writes: []investigatedWrite{}, Pairs: []pairJSON{}, Losses: []lossJSON{}, Offsets: []offsetJSON{},
		Timings: []investigatedTiming{}, Unseen: x.Unseen, Notes: append([]string{}, x.Notes...),
	}
	if x.GapAfter >= 0 {
		at := n.place(x.Writes[x.GapAfter].Place)
		out.Gap, out.GapAfter = &x.Gap, &at
	}
	if x.Slowest != nil {
		d, at := x.Slowest.Answered.Sub(x.Slowest.Received), n.place(x.Slowest.Place)
		out.Slowest, out.SlowestAt = &d, &at
	}
	for i := range x.Terms {
		t := &x.Terms[i]
		out.Terms = append(out.Terms, investigatedTerm{t.Holder, t.First, t.Last, known(t.Released), t.Foreign, n.span(&t.Worked), n.span(&t.Belief)})
	}
	for i := range x.Writes {
		t := &x.Writes[i]
		r := &t.Record
		out.Writes = append(out.Writes, investigatedWrite{n.place(t.Place), t.Received.UTC(), t.Answered.UTC(), r.Holder, known(r.Renew), r.Duration, r.Transitions, t.Follows})
	}
	for i := range x.Pairs {
		p := &x.Pairs[i]
		out.Pairs = append(out.Pairs, pairJSON{p.Old, p.New, n.judgement(&p.Worked), n.judgement(&p.Believed)})
	}
	for i := range x.Losses {
		out.Losses = append(out.Losses, lossJSON{x.Losses[i].Term, x.Losses[i].Cause, n.chain(x.Losses[i].Chain)})
	}
	for _, o := range x.Offsets {
		out.Offsets = append(out.Offsets, offsetJSON{n.e.Sources[o.Source].File, o.Identity, o.Low, o.High})
	}
	for i := range x.Sightings {
		out.Sightings = append(out.Sightings, n.sighting(&x.Sightings[i]))
	}
	for _, t := range x.Timings {
		out.Timings = append(out.Timings, investigatedTiming{t.Name, t.Low, t.High, t.Inferred})
	}
	return out
}

func (n naming) sighting(s *investigate.Sighting) sightingJSON {
	out := sightingJSON{s.Sign, s.Holder, known(s.First.Low), known(s.First.High), known(s.Last.Low), known(s.Last.High), s.Times, nil, nil}
	if s.Transitions >= 0 {
		out.Transitions = &s.Transitions
	}
	for _, p := range s.Places {
		out.Places = append(out.Places, n.place(p))
	}
	return out
}

func (n naming) judgement(j *investigate.Judgement) judgementJSON {
	return judgementJSON{j.Verdict, j.AtMost, n.chain(j.Chain)}
}

func (n naming) span(x *investigate.Span) spanJSON {
	out := spanJSON{PossibleFrom: known(x.Start.Low), PossibleTo: known(x.End.High), Why: n.chain(x.Why)}
	if from, until := x.Start.High, x.End.Low; !from.IsZero() && from.Before(until) {
		out.From, out.Until = known(from), known(until)
	}
	return out
}

// known returns a time, nil for the zero value.
func known(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC()
	return &at
}
