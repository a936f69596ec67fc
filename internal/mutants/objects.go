package mutants

const (
	pairFile   = "simlock/pair.go"
	objectFile = "simlock/object.go"
)

// pair is the independent oracle that knows the order of requests of a lock on two objects.
const pair = "pair"

// objects returns bugs in locks on annotations and on two objects.
func objects() []Mutant {
	const (
		both     = `p.raw = appendRecord(appendRecord(p.raw[:0], &p.found), &r.Record)`
		fails    = `o != machine.Done && (verb != machine.Create || o != machine.Conflict)`
		readsNew = `p.stage == onSecondary && p.call == machine.Update`
	)
	return []Mutant{
		{Name: "pair-order-swapped", About: "the Lease is asked for first", Killer: pair,
			Edits: []Edit{{lockFile, Statements,
				`pair.Reset(single(objects[0]), single(objects[1]), n.Identity)`,
				`pair.Reset(single(objects[1]), single(objects[0]), n.Identity)`}}},
		{Name: "pair-failure-passed-over", About: "the second object is asked for whatever became of the first", Killer: pair,
			Edits: []Edit{{pairFile, Condition, fails, `false`}}},
		{Name: "pair-second-not-read", About: "an update does not read the second object anew", Killer: pair,
			Edits: []Edit{{pairFile, Condition, readsNew, `false`}}},
		{Name: "pair-conflict-ends-create", About: "a create ends where the first object is there", Scenario: "migrate-cold-start",
			Edits: []Edit{{pairFile, Condition, fails, `o != machine.Done`}}},
		{Name: "pair-raw-dropped", About: "only the first object's record is compared", Scenario: "left-behind",
			Edits: []Edit{{pairFile, Statements, both, `p.raw = appendRecord(p.raw[:0], &p.found)`}}},
		{Name: "pair-holders-not-compared", About: "records that name two holders are taken for the first one's",
			Scenario: "left-behind", Edits: []Edit{{pairFile, Condition, `p.found.Holder != r.Record.Holder`, `false`}}},
		{Name: "pair-token-of-the-first", About: "the fencing token is the first object's", Killer: pair,
			Edits: []Edit{{pairFile, Statements, `return p.Secondary.Version()`, `return p.Primary.Version()`}}},
		{Name: "annotation-in-microseconds", About: "a lock takes an annotation for as exact as a Lease",
			Edits: []Edit{{objectFile, Condition, `o == ConfigMap || o == Endpoints`, `false`}}},
	}
}
