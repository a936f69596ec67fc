package plan

import (
	"strings"

	"interregnum/elector/machine"
	"interregnum/internal/coordinator"
	"interregnum/internal/phrase"
)

// coordinated checks the fields of c for coordinated elections. If c is not in one, these fields must be empty.
func (v *planCheck) coordinated(c *Candidate) {
	if !c.Coordinated {
		for _, field := range []struct{ name, value string }{
			{"emulationVersion", c.EmulationVersion}, {"binaryVersion", c.BinaryVersion}, {"strategy", c.Strategy},
		} {
			if field.value != "" {
				v.fail(field.name, "is of a coordinated election only; want coordinated: true, or no %s", field.name)
			}
		}
		return
	}
	if c.Profile.Name != machine.ClientGo.Name {
		v.fail("coordinated", "is what %s alone can do; the profile is %s", machine.ClientGo.Name, c.Profile.Name)
	}
	if c.Lock != Lease {
		v.fail("coordinated", "is for the lock lease; got %s", c.Lock)
	}
	binary := v.version("binaryVersion", c.BinaryVersion)
	if emulation := v.version("emulationVersion", c.Emulation()); emulation.Compare(binary) > 0 {
		v.fail("emulationVersion", "%s is newer than the binaryVersion, %s", c.EmulationVersion, c.BinaryVersion)
	}
	if s := c.Strategy; s != "" && s != coordinator.OldestEmulationVersion && strings.Count(s, "/") != 1 {
		v.fail("strategy", "%s is not a strategy; want %s, or one of somebody else's, such as example.com/mine",
			phrase.Quote(s), coordinator.OldestEmulationVersion)
	}
}

// version parses text, the value of a field that must hold a version. If it is empty or no version, version records an error
// of the field, and the result has no meaning.
func (v *planCheck) version(field, text string) coordinator.Version {
	if text == "" {
		v.fail(field, "is missing; a coordinated election needs one, such as 1.36")
	}
	version, err := coordinator.ParseVersion(text)
	if err != nil {
		v.fail(field, "%v", err)
	}
	return version
}

// coordinator checks the plan's coordinator, if there is one, and adds it to v.index so that faults can name it. It adds
// its clock's offset to v.shift.
func (v *planCheck) coordinator() {
	p := v.plan.Coordinator
	if p == nil {
		return
	}
	v.in = inCoordinator
	v.between("startAt", p.StartAt, 0)
	v.signed("clock.offset", p.Clock.Offset)
	v.drift("clock.driftPPM", p.Clock.DriftPPM)
	for _, leg := range []struct {
		name  string
		delay *Delay
	}{{"request", p.Request}, {"response", p.Response}} {
		if leg.delay != nil {
			v.delay(leg.name, leg.delay)
		}
	}
	if i, taken := v.index[CoordinatorID]; taken {
		v.fail("", "faults name it %s, which is the id of candidates[%d] too; ids must differ", CoordinatorID, i)
	}
	n := int32(len(v.plan.Candidates))
	v.index[CoordinatorID] = n
	v.shift.named = append(v.shift.named, 0)
	v.shift.addCandidate(n, p.Clock.Offset)
	v.in = inPlan
}
