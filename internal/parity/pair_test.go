package parity

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"pgregory.net/rapid"

	"interregnum/elector/kubelock"
	"interregnum/elector/machine"
	"interregnum/simlock"
	"interregnum/simlock/fakekube"
)

// lockKinds are those of which elector/kubelock has what v0.20.15 has, and on which objects they are.
var lockKinds = map[string][]simlock.Object{
	"configmaps":       {simlock.ConfigMap},
	"endpoints":        {simlock.Endpoints},
	"configmapsleases": {simlock.ConfigMap, simlock.Lease},
	"endpointsleases":  {simlock.Endpoints, simlock.Lease},
}

var resources = map[simlock.Object]string{
	simlock.ConfigMap: "configmaps", simlock.Endpoints: "endpoints", simlock.Lease: "leases",
}

// simulated is a lock of the simulation.
type simulated interface {
	Prepare(verb machine.Verb, record *machine.Record, op *simlock.Op) bool
	Answered(verb machine.Verb, r *simlock.Result) machine.Outcome
	Next(op *simlock.Op)
	Failed(verb machine.Verb)
	Found(r *simlock.Result) (record *machine.Record, raw []byte)
}

func simulatedLock(objects []simlock.Object, identity string) simulated {
	single := func(o simlock.Object) *simlock.Single {
		return &simlock.Single{Object: o, Key: o.String(), Forgets: simlock.ForgetsByRead}
	}
	if len(objects) == 1 {
		return single(objects[0])
	}
	return &simlock.Pair{Primary: single(objects[0]), Secondary: single(objects[1]), Identity: identity}
}

// refusal is an error answered to the first request of a call that is of that verb on that object.
type refusal struct {
	verb    machine.Verb
	object  simlock.Object
	status  int
	applied bool
}

// call makes a call on a store of the simulation. It returns what was found where it was a Get.
func call(
	s *simlock.Store, l simulated, verb machine.Verb, r machine.Record, f *refusal,
) (o machine.Outcome, found machine.Record, raw string) {
	var op simlock.Op
	if !l.Prepare(verb, &r, &op) {
		l.Failed(verb)
		return machine.Failed, found, ""
	}
	for {
		refused := f != nil && f.verb == op.Verb && f.object == op.Object
		var result simlock.Result
		if !refused || f.applied {
			result = s.Apply(&op)
		}
		if refused {
			result, f = simlock.Result{Status: f.status}, nil
		}
		if o := l.Answered(op.Verb, &result); o != 0 {
			if verb == machine.Get && o == machine.Done {
				record, bytes := l.Found(&result)
				return o, *record, string(bytes)
			}
			return o, found, ""
		}
		l.Next(&op)
	}
}

// TestLocksAreTheLibrarys: the simulation's locks on other objects than a Lease do what elector/kubelock does, which is
// what client-go v0.20.15 does: whatever two candidates call, whoever deletes what, whichever request is refused, each
// call ends alike and leaves the same records, and Gets find alike what differs.
func TestLocksAreTheLibrarys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"configmaps", "endpoints", "configmapsleases", "endpointsleases"}).Draw(t, "kind")
		objects := lockKinds[kind]
		var server fakekube.Server
		var store simlock.Store
		config := server.ConfigFor("")
		core, err := corev1.NewForConfig(config)
		require.NoError(t, err)
		coordination, err := coordinationv1.NewForConfig(config)
		require.NoError(t, err)
		clients := server.Clientset()
		names := []string{"a", "b"}
		var real []resourcelock.Interface
		var ours []simulated
		for _, name := range names {
			lock, err := kubelock.New(kind, "default", "lock", core, coordination, resourcelock.ResourceLockConfig{Identity: name})
			require.NoError(t, err)
			real, ours = append(real, lock), append(ours, simulatedLock(objects, name))
		}
		seen, seenOurs := make([]string, 2), make([]string, 2)
		for range rapid.IntRange(1, 25).Draw(t, "calls") {
			if o := rapid.SampledFrom(objects).Draw(t, "object"); rapid.IntRange(0, 7).Draw(t, "delete") == 0 {
				switch store.Delete(o.String()); o {
				case simlock.Lease:
					_ = clients.CoordinationV1().Leases("default").Delete(t.Context(), "lock", metav1.DeleteOptions{})
				case simlock.ConfigMap:
					_ = clients.CoreV1().ConfigMaps("default").Delete(t.Context(), "lock", metav1.DeleteOptions{})
				default:
					_ = clients.CoreV1().Endpoints("default").Delete(t.Context(), "lock", metav1.DeleteOptions{})
				}
			}
			who := rapid.IntRange(0, 1).Draw(t, "who")
			verb := machine.Verb(rapid.IntRange(1, 3).Draw(t, "verb"))
			record := machine.Record{
				Holder:          rapid.SampledFrom([]string{names[who], names[who], ""}).Draw(t, "holder"),
				DurationSeconds: int64(rapid.IntRange(0, 9).Draw(t, "seconds")),
				Acquire:         machine.Wall(rapid.Int64Range(1, 3e9).Draw(t, "acquire")),
				Renew:           machine.Wall(rapid.Int64Range(1, 3e9).Draw(t, "renew")),
				Transitions:     int64(rapid.IntRange(0, 2).Draw(t, "transitions")),
			}
			var f *refusal
			remove := func() {}
			if rapid.IntRange(0, 2).Draw(t, "refuse") == 0 {
				f = &refusal{
					verb:   machine.Verb(rapid.IntRange(1, 3).Draw(t, "refused")),
					object: rapid.SampledFrom(objects).Draw(t, "refused object"),
					status: rapid.SampledFrom([]int{403, 404, 409, 500, 503}).Draw(t, "status"), applied: rapid.Bool().Draw(t, "applied"),
				}
				remove = server.Inject(fakekube.Fault{
					Verb: f.verb.String(), Resource: resources[f.object], Status: f.status, Applied: f.applied, Times: 1,
				})
			}
			want, wantFound, wantRaw := callReal(t.Context(), real[who], verb, &record)
			remove()
			got, found, raw := call(&store, ours[who], verb, record, f)
			if verb == machine.Update {
				// Which of the two a server answers where the object is gone is in simlock's own tests.
				want, got = oneRefusal(want), oneRefusal(got)
			}
			require.Equal(t, want, got, "%v by %s with %+v, refusing %+v", verb, names[who], record, f)
			if verb == machine.Get && got == machine.Done {
				require.Equal(t, wantFound, found)
				if len(objects) == 2 {
					require.Equal(t, wantRaw == seen[who], raw == seenOurs[who], "what looks new")
					seen[who], seenOurs[who] = wantRaw, raw
				}
			}
		}
	})
}

func oneRefusal(o machine.Outcome) machine.Outcome {
	if o == machine.NotFound {
		return machine.Conflict
	}
	return o
}

// callReal makes a call of a real lock.
func callReal(
	ctx context.Context, l resourcelock.Interface, verb machine.Verb, r *machine.Record,
) (o machine.Outcome, found machine.Record, raw string) {
	record := resourcelock.LeaderElectionRecord{
		HolderIdentity: r.Holder, LeaseDurationSeconds: int(r.DurationSeconds), LeaderTransitions: int(r.Transitions),
		AcquireTime: metav1.NewTime(r.Acquire.Time()), RenewTime: metav1.NewTime(r.Renew.Time()),
	}
	var err error
	switch verb {
	case machine.Get:
		var got *resourcelock.LeaderElectionRecord
		var bytes []byte
		if got, bytes, err = l.Get(ctx); err == nil {
			found = machine.Record{
				Holder: got.HolderIdentity, DurationSeconds: int64(got.LeaseDurationSeconds),
				Acquire: machine.WallOf(got.AcquireTime.Time), Renew: machine.WallOf(got.RenewTime.Time),
				Transitions: int64(got.LeaderTransitions),
			}
			raw = string(bytes)
		}
	case machine.Create:
		err = l.Create(ctx, record)
	default:
		err = l.Update(ctx, record)
	}
	switch {
	case err == nil:
		return machine.Done, found, raw
	case apierrors.IsNotFound(err):
		return machine.NotFound, found, ""
	case apierrors.IsConflict(err), apierrors.IsAlreadyExists(err):
		return machine.Conflict, found, ""
	}
	return machine.Failed, found, ""
}
