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
}

type fileCandidate struct {
	ID                  string `json:"id"`
	LeaseDurationNs     int64  `json:"leaseDurationNs"`
	RenewDeadlineNs     int64  `json:"renewDeadlineNs"`
	RetryPeriodNs       int64  `json:"retryPeriodNs"`
	ComparesSeconds     bool   `json:"comparesSeconds"`
	DeadlineFromRenewal bool   `json:"deadlineFromRenewal"`
	StampsRequests      bool   `json:"stampsRequests"`
	WaitsOwnLease       bool   `json:"waitsOwnLease"`
	Rejoins             bool   `json:"rejoins"`
	DriftPPM            int64  `json:"driftPPM"`
	OffsetNs            int64  `json:"offsetNs"`
}

func newFileHeader(h *Header) *fileHeader {
	f := &fileHeader{
		Schema: SchemaVersion, Scenario: h.Scenario, Seed: h.Seed, HorizonNs: int64(h.Horizon), CalmNs: int64(h.Calm),
		FailoverNs: int64(h.Failover), Endless: h.Endless, Candidates: []fileCandidate{},
	}
	for i := range h.Candidates {
		c := &h.Candidates[i]
		f.Candidates = append(f.Candidates, fileCandidate{
			ID: c.ID, LeaseDurationNs: int64(c.LeaseDuration), RenewDeadlineNs: int64(c.RenewDeadline),
			RetryPeriodNs: int64(c.RetryPeriod), ComparesSeconds: c.ComparesSeconds,
			DeadlineFromRenewal: c.DeadlineFromRenewal, StampsRequests: c.StampsRequests, WaitsOwnLease: c.WaitsOwnLease,
			Rejoins: c.Rejoins, DriftPPM: c.DriftPPM, OffsetNs: int64(c.Offset),
		})
	}
	return f
}

func (f *fileHeader) header() *Header {
	h := &Header{
		Scenario: f.Scenario, Seed: f.Seed, Horizon: time.Duration(f.HorizonNs), Calm: time.Duration(f.CalmNs),
		Failover: time.Duration(f.FailoverNs), Endless: f.Endless,
	}
	for i := range f.Candidates {
		c := &f.Candidates[i]
		h.Candidates = append(h.Candidates, Candidate{
			ID: c.ID, LeaseDuration: time.Duration(c.LeaseDurationNs), RenewDeadline: time.Duration(c.RenewDeadlineNs),
			RetryPeriod: time.Duration(c.RetryPeriodNs), ComparesSeconds: c.ComparesSeconds,
			DeadlineFromRenewal: c.DeadlineFromRenewal, StampsRequests: c.StampsRequests, WaitsOwnLease: c.WaitsOwnLease,
			Rejoins: c.Rejoins, DriftPPM: c.DriftPPM, Offset: time.Duration(c.OffsetNs),
		})
	}
	return h
}
