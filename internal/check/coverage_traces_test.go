package check

// witnessTraces are, by witness, traces by hand that show it, and some that nearly do. The clocks of a and of the others
// are fast by as many parts per million.
var witnessTraces = map[string]struct {
	aPPM, otherPPM int64
	shows, nearly  []string
}{
	AnswerLostAfterApply: {
		shows: []string{`
			0s a sent r=1 verb=create holder=a
			1s a written r=1 verb=create holder=a
			1s a answerLost r=1`},
		nearly: []string{`
			0s a sent r=1 verb=create holder=a
			1s a lost r=1
			1s a gaveUp r=1
			2s a sent r=2 verb=update holder=a
			2s a applied r=2 verb=update status=409
			2s a answerLost r=2`},
	},
	TakeoverWhileRenewing: {
		shows: []string{aLeads + `
			2s a sent r=2 verb=update holder=a
			15s b sent r=1 verb=update holder=b
			16s b written r=1 verb=update holder=b`, aLeads + `
			2s a sent r=2 verb=update holder=a
			2s a gaveUp r=2
			2s a cancelled
			16s b sent r=1 verb=update holder=b
			16s b written r=1 verb=update holder=b`, aLeads + `
			2s a sent r=2 verb=update holder=a
			2s a lost r=2
			16s b sent r=1 verb=update holder=b
			16s b written r=1 verb=update holder=b`},
		nearly: []string{aLeads + `
			2s a sent r=2 verb=update holder=a
			2s a lost r=2
			12s a gaveUp r=2
			16s b sent r=1 verb=update holder=b
			16s b written r=1 verb=update holder=b`, aLeads + `
			2s a sent r=2 verb=update holder=a
			3s a written r=2 verb=update holder=a`, aLeads + `
			14s a sent r=2 verb=get
			16s b sent r=1 verb=update holder=b
			16s b written r=1 verb=update holder=b`, aLeads + `
			2s a sent r=2 verb=update holder=a
			3s a lost r=2
			3s a crashes
			16s b sent r=1 verb=update holder=b
			16s b written r=1 verb=update holder=b`},
	},
	ConflictOnFastPath: {
		shows: []string{aLeads + `
			2s a sent r=2 verb=update holder=a
			2s a applied r=2 verb=update status=409
			3s a handled r=2 status=409`},
		nearly: []string{aLeads + `
			2s a sent r=2 verb=get
			2s a applied r=2 verb=get
			2s a handled r=2 status=200
			2s a sent r=3 verb=update holder=a
			2s a applied r=3 verb=update status=409
			3s a handled r=3 status=409`, aLeads + `
			2s a sent r=2 verb=update holder=a
			2s a refused r=2 status=500
			3s a handled r=2 status=500`},
	},
	ReleaseRacedATakeover: {
		shows: []string{aLeads + `
			3s a cancelled
			3s a sent r=2 verb=update
			16s b sent r=1 verb=update holder=b
			16s b written r=1 verb=update holder=b`},
		nearly: []string{aLeads + `
			3s a cancelled
			3s a sent r=2 verb=update
			15s a written r=2 verb=update
			16s b sent r=1 verb=update holder=b
			16s b written r=1 verb=update holder=b`, aLeads + `
			3s a cancelled
			3s a sent r=2 verb=update
			15s a applied r=2 verb=update status=409
			16s b sent r=1 verb=update holder=b
			16s b written r=1 verb=update holder=b`},
	},
	PauseAcrossExpiry: {
		shows: []string{aLeads + `
			5s a paused
			15.000000001s a resumed`},
		nearly: []string{aLeads + `
			5s a paused
			15s a resumed`, aLeads + `
			4s a sent r=2 verb=update holder=a
			5s a paused
			6s a written r=2 verb=update holder=a
			20s a resumed`, aLeads + `
			5s a cancelled
			5s a paused
			16s a resumed`, aLeads + `
			5s a paused
			6s a crashes
			16s a resumed`},
	},
	// 15 s pass by b's clock in 12.606 s, 10 s by a's in 8 s.
	ExpiredByDrift: {
		aPPM: 250_000, otherPPM: 190_000,
		shows: []string{aLeads + `
			12.7s b sent r=1 verb=update holder=b
			14s b written r=1 verb=update holder=b`, aLeads + `
			8s a cancelled`},
		nearly: []string{aLeads + `
			12.6s b sent r=1 verb=update holder=b
			14s b written r=1 verb=update holder=b`, aLeads + `
			12.7s b sent r=1 verb=update holder=b
			15s b written r=1 verb=update holder=b`, aLeads + `
			1s b clock ppm=200000
			12.7s b sent r=1 verb=update holder=b
			14s b written r=1 verb=update holder=b`, aLeads + `
			7.9s a cancelled`, aLeads + `
			8s a crashes
			8s a cancelled`, aLeads + `
			11s a cancelled`},
	},
	AppliedButRefused: {
		shows: []string{`
			0s a sent r=1 verb=create holder=a
			1s a written r=1 verb=create holder=a
			1s a refused r=1 status=504`},
		nearly: []string{`
			0s a sent r=1 verb=create holder=a
			1s a refused r=1 status=504
			2s a handled r=1 status=504`},
	},
	LateAnswer: {
		shows: []string{`
			0s a sent r=1 verb=create holder=a
			1s a gaveUp r=1
			2s a written r=1 verb=create holder=a
			3s a late r=1`},
		nearly: []string{`
			0s a sent r=1 verb=create holder=a
			1s a written r=1 verb=create holder=a
			2s a handled r=1`},
	},
	LimiterRefused: {
		shows: []string{`
			0s a localError verb=update cause=throttled`},
		nearly: []string{`
			0s a sent r=1 verb=update holder=a`},
	},
	ConnectionLost: {
		shows: []string{`
			0s a sent r=1 verb=update holder=a
			1s a gaveUp r=1 cause=connectionLost`},
		nearly: []string{`
			0s a sent r=1 verb=update holder=a
			1s a gaveUp r=1 cause=timedOut`},
	},
	SlowService: {
		shows: []string{`
			0s a sent r=1 verb=update holder=a
			1s a queued r=1 verb=update`},
		nearly: []string{`
			0s a sent r=1 verb=update holder=a
			1s a applied r=1 verb=update`},
	},
	LocalFailure: {
		shows: []string{`
			0s a localError verb=update`},
		nearly: []string{`
			0s a sent r=1 verb=update holder=a
			1s a lost r=1
			2s a gaveUp r=1
			2s a returns`},
	},
}
