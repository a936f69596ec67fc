package adversary

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/newest"
)

var (
	configs = flag.Int("adversary.configs", 6, "how many configurations are attacked")
	each    = flag.Int("adversary.each", 150, "in how many scenarios each")
	first   = flag.Uint64("adversary.first", 1, "the seed of the first configuration")
	onSim   = flag.Bool("adversary.sim", false, "looks in the simulated world, and shows what it finds on the library")
	beyond  = flag.Bool("adversary.beyond", false, "cases that only the simulated world can show: drift, freezes, all profiles and locks")
	keepIn  = flag.String("adversary.keep", "", "a folder in which refutations are kept as scenario files, for simulate run")
	bests   = flag.Bool("adversary.bests", false, "keeps the best plan of each configuration there, too")
	seeded  = flag.Float64("adversary.seeded", 0.25, "which share of the scenarios begins with the worst case that was derived")
	verbose = flag.Bool("adversary.all", false, "prints each configuration, not only what was refuted")
)

func TestMain(m *testing.M) {
	flag.Parse()
	newest.Ensure(rest.AnonymousClientConfig)
	leaderelection.SetProvider(metric{})
	// The library runs on one core, in one order.
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(1000)
	klog.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

// TestNewest: what is attacked is what the profile client-go describes, whatever go.mod requires.
func TestNewest(t *testing.T) {
	assert.Equal(t, newest.Version, newest.Linked(rest.AnonymousClientConfig))
}

// TestAttack attacks the bound that ships: by plans from nothing, and by plans of the worst case that was derived. The second kind reaches
// each bound that claims to be exact.
func TestAttack(t *testing.T) {
	begin := time.Now()
	r := report{byKind: map[string]*nearness{}}
	for i := range *configs {
		r.attack(t, *first+uint64(i))
	}
	r.print()
	n := *configs * *each
	fmt.Printf("%d refuted; %d runs, %.0f a second\n", r.refuted, n, float64(n)/time.Since(begin).Seconds())
}

// attack attacks the bound of the configuration of that seed.
func (r *report) attack(t *testing.T, seed uint64) {
	r.attackCase(t, Kind{Library: !*beyond}.Draw(seed), seed)
}

// attackCase attacks the bound of a case that was drawn from that seed.
func (r *report) attackCase(t *testing.T, c *Case, seed uint64) {
	claim, err := Shipped(c)
	require.NoError(t, err)
	share := int(*seeded * float64(*each))
	own, from := fromNothing(t, c, seed, *each-share), fromWorst(t, c, seed, share)
	best := own
	if own == nil || from != nil && from.score > own.score {
		best = from
	}
	if *onSim && best.score > 0 && c.onLibrary() {
		r.asked++
		if shown := onLibrary(t, c, best).score; shown > best.score-time.Microsecond {
			r.seen++
		} else {
			fmt.Printf("seed %d: simulated %v, on the library %v\n", seed, best.score, shown)
		}
	}
	over := best.score > claim.most(best.g) && !claim.None
	if *verbose || over {
		fmt.Printf("seed %d: %v: claim %v exact %v none %v, shown %v\n", seed, c, claim.Most, claim.Exact, claim.None, best.score)
	}
	if claim.Exact {
		r.add(t, c, claim.Most, own, from, seed)
	}
	if over {
		r.refuted++
		refutation(t, c, claim, best, seed)
	} else if *bests && *keepIn != "" && best.score > 0 {
		fmt.Println(store(t, c, best, fmt.Sprint("best-", seed)))
	}
}

// fromNothing is the best of plans that know nothing but the words of the claim, nil where they are not asked for.
func fromNothing(t *testing.T, c *Case, seed uint64, runs int) *found {
	if runs == 0 {
		return nil
	}
	f := climb(c, where(t, c), seed, runs, bound.MaxDuration)
	require.NoError(t, f.o.Err)
	return f
}

// fromWorst is the best that comes of the worst case that was derived, nil where that is not asked for.
func fromWorst(t *testing.T, c *Case, seed uint64, runs int) *found {
	if runs == 0 {
		return nil
	}
	all, err := seeds(c)
	require.NoError(t, err)
	f := climbFrom(c, where(t, c), seed, runs, bound.MaxDuration, all)
	require.NoError(t, f.o.Err)
	return f
}

// where is the world that is asked.
func where(t *testing.T, c *Case) world {
	if *onSim || *beyond || c.Config.Profile != machine.ClientGo {
		return Simulated{}
	}
	return libraryWorld{t}
}

// refutation prints a plan that shows more than was claimed, the least that does, and keeps it.
func refutation(t *testing.T, c *Case, claim Claim, best *found, seed uint64) {
	small := minimize(c, where(t, c), best, claim.most(best.g))
	fmt.Printf("REFUTED seed %d: %v: claim %v exact %v, shown %v, by the least plan %v\n", seed, c, claim.Most, claim.Exact, best.score,
		small.score)
	if c.onLibrary() {
		shown := onLibrary(t, c, small)
		fmt.Printf("the same plan on the library: %v\n", shown.score)
	}
	fmt.Println(Show(c, small.g, small.o))
	if *keepIn != "" {
		fmt.Println(store(t, c, small, fmt.Sprint("refuted-", seed)))
	}
	t.Errorf("refuted; again with: go test ./internal/adversary -run 'TestAttack$' -v -adversary.sim=%v -adversary.beyond=%v "+
		"-adversary.seeded=%v -adversary.first %d -adversary.configs 1 -adversary.each %d", *onSim, *beyond, *seeded, seed, *each)
}

// store writes a plan as a scenario file, and says where, or why that cannot be.
func store(t *testing.T, c *Case, f *found, name string) string {
	s, err := Scenario(c, f.g, name)
	if err != nil {
		return err.Error()
	}
	require.NoError(t, os.MkdirAll(*keepIn, 0o755))
	path := filepath.Join(*keepIn, name+".yaml")
	write(t, s, path)
	return fmt.Sprintf("overlap %v: simulate run %s", f.score, path)
}
