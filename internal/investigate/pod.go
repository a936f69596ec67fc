package investigate

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// pod is a place where processes run one after the other, by one clock, with what their logs say of the lock: a pod of Kubernetes, or a
// container of one. Its processes can have several names in records.
type pod struct {
	name    string
	sources []int
	// known are those of its sources whose words say when it stamps its records: client-go's, or our elector's where it does not stamp ahead.
	known map[int]bool
	// sayings are those of all its logs that are about the lock, by its clock.
	sayings []*evidence.Saying
	// held are those of them, as indexes, by which it has found that somebody holds the lock.
	held []int
	// nameless are the lines of its logs that something failed, and that do not say of which lock: its logs are about several.
	nameless []*evidence.Saying
	// turning are those, as indexes, that show a turning point of a term (see turns).
	turning []int
	// silences are the times in which its logs have nothing.
	silences []*evidence.Silence
	// unit is the coarsest in which its lines say the time.
	unit time.Duration
	// vague: the stamps are not the process's own, or contradict the order of the lines. Nothing is concluded from them.
	vague bool
	// set: its clock was seen to be set.
	set bool
	// early is the first of its lines that is stamped before the line above it in its log, nil if there is none. In a log with the newest line first that
	// line is below.
	early *evidence.Saying
	// writes are its own among the story's that have a stamp, as indexes, in their order; attempts are its requests to write a record
	// that names it, whether the server took them or not, in the order of their stamps.
	writes   []int
	attempts []*evidence.Request
	// courses are what it says of its terms, in the order of its lines.
	courses []*course
	// lows and highs bound the offset of its clock.
	lows, highs envelope
}

// place is where a process runs: a pod, and a container of it, "" if no log says which.
type place struct{ pod, container string }

// podsOf returns the pods whose logs say something of the lock, sorted by name, with their lines, their silences and how fine
// their stamps are. It leaves out lines of a log whose process is not known. If several containers of a pod say something of the lock, each
// is a pod of its own here; otherwise lines that name no container are those of the one that does. Lines of other clients than client-go it leaves out
// unless strange is true.
func podsOf(e *evidence.Evidence, lock evidence.Lock, strange bool) (pods []*pod) {
	about := func(s *evidence.Saying) bool {
		return s.Lock.Name == lock.Name && s.Lock.Namespace == lock.Namespace && (strange || s.Client == "")
	}
	named := map[string][]string{}
	for i := range e.Sayings {
		x := &e.Sources[e.Sayings[i].Source]
		if about(&e.Sayings[i]) && x.Container != "" && !slices.Contains(named[x.Process], x.Container) {
			named[x.Process] = append(named[x.Process], x.Container)
		}
	}
	placeOf := func(source int) place {
		at := place{e.Sources[source].Process, e.Sources[source].Container}
		if only := named[at.pod]; at.container == "" && len(only) == 1 {
			at.container = only[0]
		}
		return at
	}
	by := map[place]*pod{}
	for i := range e.Sayings {
		s := &e.Sayings[i]
		at := placeOf(s.Source)
		if at.pod == "" || !about(s) {
			continue
		}
		p := by[at]
		if p == nil {
			p = &pod{name: at.pod, known: map[int]bool{}, highs: envelope{upper: true}}
			by[at] = p
			pods = append(pods, p)
		}
		p.add(s)
	}
	for i := range e.Sayings {
		s := &e.Sayings[i]
		if p := by[placeOf(s.Source)]; p != nil && s.Step == evidence.Failed && s.Client == "" && s.Lock.Name == "" {
			p.nameless = append(p.nameless, s)
		}
	}
	for i := range e.Silences {
		if p := by[placeOf(e.Silences[i].Source)]; p != nil {
			p.silences = append(p.silences, &e.Silences[i])
		}
	}
	for _, p := range pods {
		p.sort(e.Sources)
	}
	slices.SortStableFunc(pods, func(a, b *pod) int { return strings.Compare(a.name, b.name) })
	return pods
}

// add adds a line of one of the pod's logs. A line whose stamp is not the process's own (Relayed), or
// that may be another's (Strange), makes the pod vague.
func (p *pod) add(s *evidence.Saying) {
	if !slices.Contains(p.sources, s.Source) {
		p.sources = append(p.sources, s.Source)
	}
	p.sayings = append(p.sayings, s)
	p.unit = max(p.unit, unit(s))
	p.vague = p.vague || s.Relayed || s.Strange
}

// once drops lines that stand in several logs of the pod, as where one was saved twice. It keeps that of the log which goes on longest.
func (p *pod) once(sources []evidence.Source) {
	if len(p.sources) < 2 {
		return
	}
	type line struct {
		at   int64
		step evidence.Step
		text string
	}
	of := func(s *evidence.Saying) line { return line{s.At.UnixNano(), s.Step, s.Text} }
	from := map[line]int{}
	for _, s := range p.sayings {
		if other, twice := from[of(s)]; !twice || sources[s.Source].Last.After(sources[other].Last) {
			from[of(s)] = s.Source
		}
	}
	p.sayings = slices.DeleteFunc(p.sayings, func(s *evidence.Saying) bool { return from[of(s)] != s.Source })
}

// sort drops what stands in several logs (see once), narrows the stamps of the pod's lines (see narrow), sorts the lines by time, and sets
// held and turning.
func (p *pod) sort(sources []evidence.Source) {
	p.once(sources)
	p.narrow(sources)
	slices.SortStableFunc(p.sayings, func(a, b *evidence.Saying) int { return a.At.Compare(b.At) })
	for i, s := range p.sayings {
		if s.Step == evidence.Held {
			p.held = append(p.held, i)
		}
		if turns(s.Step) {
			p.turning = append(p.turning, i)
		}
	}
}

// narrow replaces each of the pod's lines by a copy whose At and Unit are narrowed by the stamps of the lines around it. In one
// log a coarse stamp, as zap writes it, can stand beside finer ones, as klog writes them. A line is never written before the
// line before it, which in some files is the one below: if its stamp says so, the pod becomes vague, and no stamp is narrowed.
func (p *pod) narrow(sources []evidence.Source) {
	slices.SortStableFunc(p.sayings, func(a, b *evidence.Saying) int {
		line := cmp.Compare(a.Line, b.Line)
		if sources[a.Source].Order == evidence.NewestFirst {
			line = -line
		}
		return cmp.Or(cmp.Compare(a.Source, b.Source), line)
	})
	p.vague = p.vague || slices.ContainsFunc(p.sources, func(i int) bool { return sources[i].Order == evidence.NoOrder })
	all := make([]evidence.Saying, len(p.sayings))
	for i, s := range p.sayings {
		own := &all[i]
		*own = *s
		own.Unit = unit(s)
		if i > 0 && all[i-1].Source == s.Source && all[i-1].At.After(own.At) {
			own.At, own.Unit = all[i-1].At, own.Unit-all[i-1].At.Sub(own.At)
		}
		if p.early == nil && own.Unit <= 0 {
			p.vague, p.early = true, s
		}
	}
	for i := len(all) - 2; i >= 0; i-- {
		s, next := &all[i], &all[i+1]
		if s.Source == next.Source {
			s.Unit = min(s.Unit, next.At.Add(next.Unit).Sub(s.At))
		}
	}
	for i, s := range p.sayings {
		if p.vague {
			all[i] = *s
			all[i].Unit = unit(s)
		}
		p.sayings[i] = &all[i]
	}
}

// own distributes the writes and the requests about the lock. It sets writes and attempts of each pod, and received, sent,
// clients, unread and hosts of the teller. A write or a request is a holder's only if its client is the holder's own (see
// ownersOf), since anybody can ask to write any name.
func (t *teller) own() {
	for i := range t.s.Writes {
		if r := &t.s.Writes[i].Record; !r.Renew.IsZero() && t.itself(t.by[i]) {
			if p := t.podOf(r.Holder); p != nil {
				p.writes = append(p.writes, i)
			}
		}
	}
	for i := range t.e.Requests {
		q := &t.e.Requests[i]
		if q.Lock != t.s.Lock {
			continue
		}
		t.clients[clientOf(q)] = append(t.clients[clientOf(q)], q)
		if !writing(q) {
			continue
		}
		if q.Wrote == nil {
			t.unread[clientOf(q)] = append(t.unread[clientOf(q)], q)
			continue
		}
		t.received = append(t.received, q)
		if !t.itself(q) {
			continue
		}
		t.sent[q.Wrote.Holder] = append(t.sent[q.Wrote.Holder], q)
		if p := t.podOf(q.Wrote.Holder); p != nil && !q.Wrote.Renew.IsZero() {
			p.attempts = append(p.attempts, q)
		}
	}
	t.hosts = t.writersBy(hostOf)
	byReceipt := func(a, b *evidence.Request) int { return a.Received.Compare(b.Received) }
	slices.SortStableFunc(t.received, byReceipt)
	for _, all := range t.sent {
		slices.SortStableFunc(all, byReceipt)
	}
	for _, all := range t.clients {
		slices.SortStableFunc(all, byReceipt)
	}
	for _, all := range t.unread {
		slices.SortStableFunc(all, byReceipt)
	}
	for _, p := range t.pods {
		slices.SortStableFunc(p.attempts, func(a, b *evidence.Request) int { return a.Wrote.Renew.Compare(b.Wrote.Renew) })
	}
}

// trusted tells whether a log of the pod is known whose stamps are its own, by a clock that nobody is known to have set. The pod can be
// nil: then none is known.
func (p *pod) trusted() bool { return p != nil && !p.vague && !p.set }

// hostOf returns the name of a holder's host: the holder's name up to its first underscore.
func hostOf(holder string) string {
	host, _, _ := strings.Cut(holder, "_")
	return host
}

// writersBy returns, for each client, what name returns for the holders that it has asked to write; "" if that is not the same for
// all of them. A client that has asked to write no holder's name, or only names of others (see another), is not in the map.
func (t *teller) writersBy(name func(holder string) string) map[client]string {
	all := map[client]string{}
	for _, q := range t.received {
		if q.Wrote.Holder == "" || t.another(q) {
			continue
		}
		writer, from := name(q.Wrote.Holder), clientOf(q)
		if other, known := all[from]; known && other != writer {
			writer = ""
		}
		all[from] = writer
	}
	return all
}

// notBefore returns the index of the first of the pod's lines that can be of a later time than from, whatever the units of the
// stamps; len(p.sayings) if there is none.
func (p *pod) notBefore(from time.Time) int {
	return sort.Search(len(p.sayings), func(k int) bool { return p.sayings[k].At.Add(p.unit).After(from) })
}

// said tells whether the pod says anything of the election after from and up to until, which is included, by its own clock.
func (p *pod) said(from, until time.Time) bool {
	k := sort.Search(len(p.sayings), func(k int) bool { return p.sayings[k].At.After(from) })
	return k < len(p.sayings) && !p.sayings[k].At.After(until)
}

// tried tells whether the pod stamped a record between from, which is included, and until, which is not, by its own clock.
func (p *pod) tried(from, until time.Time) bool {
	k := sort.Search(len(p.attempts), func(k int) bool { return !p.attempts[k].Wrote.Renew.Before(from) })
	return k < len(p.attempts) && p.attempts[k].Wrote.Renew.Before(until)
}

// after returns the index of the line after s in p.sayings, which are sorted by time. s must be one of them.
func (p *pod) after(s *evidence.Saying) int {
	k := sort.Search(len(p.sayings), func(k int) bool { return !p.sayings[k].At.Before(s.At) })
	return k + slices.Index(p.sayings[k:], s) + 1
}

// unit returns the precision of a line's stamp, a second if it has none.
func unit(s *evidence.Saying) time.Duration {
	if s.Unit <= 0 {
		return time.Second
	}
	return s.Unit
}

// has tells whether holder is a name of one of the pod's processes: the pod's name, alone or followed by an underscore and more,
// as client-go's users make names.
func (p *pod) has(holder string) bool {
	return holder == p.name || strings.HasPrefix(holder, p.name+"_")
}

// podOf returns the pod of a holder, nil if no log of it is known: the one whose name is the holder's, else the one that is
// named like its processes (see has), else the one that is a static pod of its host (see static). Of several that fit it is
// the only one that stands for election by its log, nil if none or several do. It keeps the answer in t.byHolder.
func (t *teller) podOf(holder string) *pod {
	p, known := t.byHolder[holder]
	if !known {
		for _, fits := range []func(*pod) bool{
			func(p *pod) bool { return holder == p.name }, func(p *pod) bool { return p.has(holder) }, func(p *pod) bool { return t.static(p, holder) },
		} {
			if found := sifted(t.pods, fits); len(found) > 1 {
				found = sifted(found, (*pod).stands)
				if len(found) == 1 {
					p = found[0]
				}
				break
			} else if len(found) == 1 {
				p = found[0]
				break
			}
		}
		t.byHolder[holder] = p
	}
	return p
}

// sifted returns the pods that fit.
func sifted(pods []*pod, fits func(*pod) bool) (all []*pod) {
	for _, p := range pods {
		if fits(p) {
			all = append(all, p)
		}
	}
	return all
}

// static tells whether the pod can be a static one on the host of the holder, whose processes take the host's name: kubelets name
// such a pod NAME-HOST. If the pod's name ends with the hosts of several holders, it is on the one with the longest name; if a holder is named like
// the pod, it is no static pod.
func (t *teller) static(p *pod, holder string) bool {
	on := func(host string) bool { return host != "" && strings.HasSuffix(p.name, "-"+host) }
	host := hostOf(holder)
	if !on(host) {
		return false
	}
	for i := range t.s.Writes {
		other := t.s.Writes[i].Record.Holder
		if p.has(other) || len(hostOf(other)) > len(host) && on(hostOf(other)) {
			return false
		}
	}
	return true
}

// stands tells whether a line of the pod says that it stands for election, or that it has acquired the lock.
func (p *pod) stands() bool {
	return slices.ContainsFunc(p.sayings, func(s *evidence.Saying) bool { return s.Step == evidence.Tries || s.Step == evidence.Acquired })
}
