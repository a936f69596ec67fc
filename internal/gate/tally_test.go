package gate

import (
	"fmt"
	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
	"os"
	"pgregory.net/rapid"
	"testing"
	"time"
)

func TestTally(t *testing.T) {
	bad := 0
	n := 0
	kinds := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		p := rapid.SampledFrom([]machine.Profile{machine.ClientGo, machine.ClientGo, machine.ClientGo, machine.ClientGoV024, machine.Strict}).Draw(rt, "p")
		c := drawConfig(rt, p)
		e := drawEnvironment(rt, c)
		if bound.Refused(c) != nil {
			return
		}
		r, err := bound.Of(c, e)
		if err != nil {
			panic(err)
		}
		n++
		if r.Safe() {
			kinds["safe"]++
			return
		}
		w := Witness(c, e, r)
		key := fmt.Sprint(p.Name, " kind", r.Plan.Kind, " join", r.Plan.Chain.Join, " atleast", r.AtLeast)
		if err := w.Validate(); err != nil {
			fmt.Println("INVALID", err, key, *c, *e)
			bad++
			kinds[key+" invalid"]++
			return
		}
		begin := time.Now()
		res, err := scenarios.Run(w, scenarios.Options{})
		_ = res
		if el := time.Since(begin); el > 200*time.Millisecond {
			fmt.Println("SLOW", el, key, *c, *e)
		}
		if err != nil {
			fmt.Println("RUN", err, key, c.Timings, c.RequestTimeout, *e)
			kinds[key+" err"]++
			return
		}
		got := overlap(t, w)
		d := r.Overlap - got
		ok := d >= 0 && d < time.Millisecond
		if r.AtLeast {
			ok = d < time.Millisecond
		}
		if ok {
			kinds[key]++
			return
		}
		kinds[key+" BAD"]++
		bad++
		if bad <= 25 {
			fmt.Printf("%s LD=%v RD=%v RP=%v F=%v rel=%v R=%v drift=%d P=%v W=%v: predicted %v got %v off %v terms %v setup %v pause %v\n", key, c.LeaseDuration, c.RenewDeadline, c.RetryPeriod, c.RequestTimeout, c.ReleaseOnCancel, e.MaxRoundTrip, e.MaxDriftPPM, e.MaxPause, e.Drain, r.Overlap, got, d, r.Terms, r.Plan.Chain.Setup, r.Plan.Chain.SetupPause)
			if bad <= 3 {
				f, _ := os.Create(fmt.Sprintf("/tmp/bad%d.yaml", bad))
				w.WriteYAML(f)
				f.Close()
			}
		}
	})
	for k, v := range kinds {
		fmt.Println(k, v)
	}
	fmt.Println(n, bad)
}
