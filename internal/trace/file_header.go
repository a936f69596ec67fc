package trace

import "time"

// fileHeader is the first line of a trace file.
type fileHeader struct {
	Schema     int             `json:"schema"`
	Scenario   string          `json:"scenario"`
	Seed       uint64          `json:"seed"`
	HorizonNs  int64           `json:"horizonNs"`
	CalmNs     int64           `json:"calmNs"`
	FailoverNs int64           `json:"failoverNs"`
	Endless    bool            `json:"endless"`
	Candidates []fileCandidate `json:"candidates"`
	// Service is left out where no lock expires by itself.
	Service *fileService `json:"service,omitempty"`
	// Elections is left out if there is only one.
	Elections []string `json:"elections,omitempty"`
	// Rollouts is left out if there is none.
	Rollouts []fileRollout `json:"rollouts,omitempty"`
}

type fileRollout struct {
	Fault    int32 `json:"fault"`
	WithinNs int64 `json:"withinNs"`
}

type fileService struct {
	OffsetNs    int64 `json:"offsetNs"`
	DriftPPM    int64 `json:"driftPPM"`
	PrecisionNs int64 `json:"precisionNs"`
}

type fileCandidate struct {
	ID                  string `json:"id"`
	Election            string `json:"election,omitempty"`
	LeaseDurationNs     int64  `json:"leaseDurationNs"`
	RenewDeadlineNs     int64  `json:"renewDeadlineNs"`
	RetryPeriodNs       int64  `json:"retryPeriodNs"`
	ComparesSeconds     bool   `json:"comparesSeconds"`
	DeadlineFromRenewal bool   `json:"deadlineFromRenewal"`
	StampsRequests      bool   `json:"stampsRequests"`
	WaitsOwnLease       bool   `json:"waitsOwnLease"`
	Rejoins             bool   `json:"rejoins"`
	StandsWithinNs      int64  `json:"standsWithinNs"`
	DriftPPM            int64  `json:"driftPPM"`
	OffsetNs            int64  `json:"offsetNs"`
	// Objects is left out for the Lease alone.
	Objects []string `json:"objects,omitempty"`
	// Coordinator is left out for a candidate.
	Coordinator bool `json:"coordinator,omitempty"`
	OwnNow      bool `json:"ownNow,omitempty"`
	ByRenewTime bool `json:"byRenewTime,omitempty"`
	NoDeadline  bool `json:"noDeadline,omitempty"`
}

// newFileHeader converts a Header to the first line of a trace file.
func newFileHeader(h *Header) *fileHeader {
	f := &fileHeader{
		Schema: SchemaVersion, Scenario: h.Scenario, Seed: h.Seed, HorizonNs: int64(h.Horizon), CalmNs: int64(h.Calm),
		FailoverNs: int64(h.Failover), Endless: h.Endless, Candidates: []fileCandidate{}, Elections: h.Elections,
	}
	if s := h.Service; s != nil {
		f.Service = &fileService{OffsetNs: int64(s.Offset), DriftPPM: s.DriftPPM, PrecisionNs: int64(s.Precision)}
	}
	for _, r := range h.Rollouts {
		f.Rollouts = append(f.Rollouts, fileRollout{r.Fault, int64(r.Within)})
	}
	for i := range h.Candidates {
		c := &h.Candidates[i]
		f.Candidates = append(f.Candidates, fileCandidate{
			ID: c.ID, Election: c.Election, LeaseDurationNs: int64(c.LeaseDuration), RenewDeadlineNs: int64(c.RenewDeadline),
			RetryPeriodNs: int64(c.RetryPeriod), ComparesSeconds: c.ComparesSeconds,
			DeadlineFromRenewal: c.DeadlineFromRenewal, StampsRequests: c.StampsRequests, WaitsOwnLease: c.WaitsOwnLease,
			Rejoins: c.Rejoins, StandsWithinNs: int64(c.StandsWithin), DriftPPM: c.DriftPPM, OffsetNs: int64(c.Offset),
			Objects:     objectNames(c.Objects),
			Coordinator: c.Coordinator,
			OwnNow:      c.OwnNow, ByRenewTime: c.ByRenewTime, NoDeadline: c.NoDeadline,
		})
	}
	return f
}

// header converts the first line of a trace file to a Header.
func (f *fileHeader) header() *Header {
	h := &Header{
		Scenario: f.Scenario, Seed: f.Seed, Horizon: time.Duration(f.HorizonNs), Calm: time.Duration(f.CalmNs),
		Failover: time.Duration(f.FailoverNs), Endless: f.Endless, Elections: f.Elections,
	}
	if s := f.Service; s != nil {
		h.Service = &Service{
			Offset: time.Duration(s.OffsetNs), DriftPPM: s.DriftPPM, Precision: time.Duration(s.PrecisionNs),
		}
	}
	for _, r := range f.Rollouts {
		h.Rollouts = append(h.Rollouts, Rollout{r.Fault, time.Duration(r.WithinNs)})
	}
	for i := range f.Candidates {
		c := &f.Candidates[i]
		h.Candidates = append(h.Candidates, Candidate{
			ID: c.ID, Election: c.Election, LeaseDuration: time.Duration(c.LeaseDurationNs), RenewDeadline: time.Duration(c.RenewDeadlineNs),
			RetryPeriod: time.Duration(c.RetryPeriodNs), ComparesSeconds: c.ComparesSeconds,
			DeadlineFromRenewal: c.DeadlineFromRenewal, StampsRequests: c.StampsRequests, WaitsOwnLease: c.WaitsOwnLease,
			Rejoins: c.Rejoins, StandsWithin: time.Duration(c.StandsWithinNs), DriftPPM: c.DriftPPM, Offset: time.Duration(c.OffsetNs),
			Objects:     objectsNamed(c.Objects),
			Coordinator: c.Coordinator,
			OwnNow:      c.OwnNow, ByRenewTime: c.ByRenewTime, NoDeadline: c.NoDeadline,
		})
	}
	return h
}

// objectNames returns the names of these kinds of object, in the same order.
func objectNames(objects []Object) (names []string) {
	for _, o := range objects {
		names = append(names, o.String())
	}
	return names
}

// objectsNamed returns the kinds of object that have these names; an unknown name becomes the bound of all kinds.
func objectsNamed(names []string) (objects []Object) {
	for _, name := range names {
		objects = append(objects, named(Object(Objects), name))
	}
	return objects
}
