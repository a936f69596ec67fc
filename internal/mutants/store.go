package mutants

import "slices"

const (
	storeFile = "simlock/store.go"
	leaseFile = "simlock/single.go"
)

// register is the independent oracle that must find what is wrong with a store.
const register = "register"

// store returns bugs in the lock service, and in the client's part of a lock.
func store() []Mutant {
	const (
		read     = "o.result(statusOK, r)\n\t\treturn"
		versions = "s.version++\n\t\to.version = s.version"
		refusal  = "*r = Result{Status: status}\n\t\treturn"
		keeping  = "old.Set(r)"
	)
	return []Mutant{
		{Name: "lost-update", About: "an update on any version is taken", Killer: register,
			Edits: []Edit{{storeFile, Condition, `op.Version != o.version`, `false`}}},
		{Name: "lost-update-when-vacant", About: "an update on any version is taken while nobody holds the lock",
			Killer: register,
			Edits: []Edit{{storeFile, Condition, `op.Version != o.version`,
				`op.Version != o.version && o.record.Holder != ""`}}},
		{Name: "renewal-without-version", About: "a client sends no version, and the store takes that",
			Edits: []Edit{
				{leaseFile, Statements, `op.UID, op.Version = l.uid, l.version`, `op.UID, op.Version = l.uid, 0`},
				{storeFile, Condition, `op.Version == 0`, `false`},
				{storeFile, Condition, `op.Version != o.version`, `op.Version != 0 && op.Version != o.version`},
			}},
		{Name: "stale-read", About: "a read shows the object as it was before the last write", Killer: register,
			Edits: slices.Concat(remember(), []Edit{{storeFile, Statements, read,
				"o.previous().result(statusOK, r)\nreturn"}})},
		{Name: "stale-holder", About: "a read shows the holder before the last write, and the new version",
			Killer: register,
			Edits: []Edit{{storeFile, Statements, read,
				"o.result(statusOK, r)\nr.Record.Holder = o.previous().record.Holder\nreturn"}}},
		{Name: "vacant-not-found", About: "a read of a released lock finds none", Killer: register,
			Edits: []Edit{{storeFile, Statements, read,
				"if o.result(statusOK, r); o.record.Holder == \"\" {\n*r = Result{Status: statusNotFound}\n}\nreturn"}}},
		{Name: "version-reuse", About: "a renewal keeps the version", Killer: register,
			Edits: []Edit{{storeFile, Statements, versions,
				"if o.previous().record.Holder != r.Holder {\n" + versions + "\n}"}}},
		{Name: "version-reuse-by-release", About: "a release keeps the version", Killer: register,
			Edits: []Edit{{storeFile, Statements, versions, "if r.Holder != \"\" {\n" + versions + "\n}"}}},
		{Name: "version-ahead", About: "an update answers a version that the object does not have", Killer: register,
			Edits: []Edit{{storeFile, Statements, `r.Changed = changed`, "r.Changed = changed\nr.Version++"}}},
		{Name: "create-overwrites", About: "a create replaces what is there", Killer: register,
			Edits: []Edit{{storeFile, Statements, `return Result{Status: statusConflict}`, `return s.insert(op)`}}},
		{Name: "conflict-yet-written", About: "an update that is answered 409 is applied all the same", Killer: register,
			Edits: []Edit{{storeFile, Statements, refusal,
				"if status == statusConflict && o != nil {\no.write(&op.Record)\n}\n" + refusal}}},
		{Name: "conflict-answered-ok", About: "an update that is not applied is answered 200", Killer: register,
			Edits: []Edit{{storeFile, Statements, refusal,
				"if status == statusConflict && o != nil {\no.result(statusOK, r)\nreturn\n}\n" + refusal}}},
		{Name: "torn-write", About: "of an update only the times are kept", Killer: register,
			Edits: []Edit{{storeFile, Statements, keeping, ""}}},
		{Name: "release-not-kept", About: "a release is answered 200 and the holder stays", Killer: register,
			Edits: []Edit{{storeFile, Statements, keeping,
				"if holder := old.Holder; r.Holder == \"\" {\nold.Set(r)\nold.Holder = holder\n} else {\nold.Set(r)\n}"}}},
		{Name: "renew-time-in-seconds", About: "the store keeps renewTime in whole seconds",
			Edits: []Edit{{storeFile, Statements, `old.Acquire, old.Renew = acquire, renew`,
				`old.Acquire, old.Renew = acquire, renew.Truncate(time.Second)`}}},
		{Name: "token-never-grows", About: "every term gets the same fencing token",
			Edits: []Edit{{leaseFile, Statements, `return l.version`, `return 1`}}},
	}
}

// remember returns the edits by which an object of the store keeps its state before the last write. The bugs stale-read and
// others need that state.
func remember() []Edit {
	return []Edit{
		{storeFile, Always, "\trecord       machine.Record\n}", `	record       machine.Record
	before       *object
}

func (o *object) previous() *object {
	if o.before != nil {
		return o.before
	}
	return o
}`},
		{storeFile, Always, `if changed = o.write(r); changed {`, `was := *o
	was.before = nil
	if changed = o.write(r); changed {
		o.before = &was`},
	}
}
