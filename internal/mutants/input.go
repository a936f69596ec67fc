package mutants

const recorderFile = "internal/sim/recorder/recorder.go"

// input returns bugs that drop, repeat or change events between a run and its checkers.
func input() []Mutant {
	all := []Mutant{
		{Name: "event-lost", About: "one event in 64 does not arrive",
			Edits: []Edit{{recorderFile, Statements, `l.sink.Observe(e)`, "if e.Seq%64 != 0 {\nl.sink.Observe(e)\n}"}}},
		{Name: "event-twice", About: "the end of a term's work arrives twice",
			Edits: []Edit{{recorderFile, Statements, `l.sink.Observe(e)`,
				"if e.Kind == trace.WorkEnded {\nl.sink.Observe(e)\n}\nl.sink.Observe(e)"}}},
		forged("end-of-another", "the end of a term's work is laid to the first candidate",
			"if e.Kind == trace.WorkEnded {\ne.Candidate = 0\n}"),
		forged("answer-early", "answers are dated a millisecond early",
			"if e.Kind == trace.ResponseHandled {\ne.At -= 1e6\n}"),
		forged("base-forged", "writes are laid to the version that they made",
			"if e.Kind == trace.Written {\ne.Base = e.Version\n}"),
		forged("version-forged", "a renewal is shown with the version that it replaced",
			"if e.Kind == trace.Written && e.Base != 0 {\ne.Version = e.Base\n}"),
		forged("token-forged", "the guarded resource is shown tokens that count backwards",
			"if e.Kind == trace.ResourceWritten {\ne.Version = 1<<32 - e.Version\n}"),
		forged("transitions-forged", "writes are shown without their count of transitions",
			"if e.Kind == trace.Written {\ne.Transitions = 0\n}"),
	}
	for _, d := range []struct{ name, about, kind string }{
		{"run-start-dropped", "no Run ever begins", "RunStarted"},
		{"run-end-dropped", "no Run ever ends", "RunReturned"},
		{"work-start-dropped", "no work ever begins", "WorkStarted"},
		{"work-cancel-dropped", "no work is ever told to end", "WorkCancelled"},
		{"work-end-dropped", "no work ever ends", "WorkEnded"},
		{"belief-start-dropped", "no belief ever begins", "BeliefBegan"},
		{"belief-end-dropped", "no belief ever ends", "BeliefEnded"},
		{"stop-dropped", "OnStoppedLeading is never called", "Stopped"},
		{"write-dropped", "no write ever changes anything", "Written"},
		{"request-dropped", "no request is ever sent", "RequestSent"},
		{"answer-dropped", "no answer ever arrives", "ResponseHandled"},
		{"give-up-dropped", "nobody ever stops waiting for an answer", "GaveUp"},
		{"crash-dropped", "no process ever crashes", "Crashed"},
		{"wake-dropped", "no frozen process ever wakes", "Resumed"},
	} {
		all = append(all, forged(d.name, "as far as the trace tells, "+d.about,
			"if e.Kind == trace."+d.kind+" {\nreturn\n}"))
	}
	return all
}

// forged returns a mutant. Its statements change or drop an event e before the event gets its number, so that no number is
// missing.
func forged(name, about, statements string) Mutant {
	const numbering = "e.Seq = r.Count + 1\n\tr.Count = e.Seq"
	return Mutant{Name: name, About: about,
		Edits: []Edit{{recorderFile, Statements, numbering, statements + "\n" + numbering}}}
}
