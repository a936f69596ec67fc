package managed

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector/machine"
)

var usual = machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}

// options has the fields of controller-runtime's manager.Options that count; e2e/electiontest has the real one.
type options struct {
	LeaderElection, LeaderElectionReleaseOnCancel bool
	LeaderElectionResourceLock                    string
	LeaderElectionResourceLockInterface           resourcelock.Interface
	LeaseDuration, RenewDeadline, RetryPeriod     *time.Duration
}

// TestRead: options that elect nobody, or are none, are refused.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		options any
		want    string
	}{
		{options{}, "LeaderElection is false, so that every replica works"},
		{options{LeaderElection: true, LeaderElectionResourceLock: "configmapsleases"}, `client-go has no lock "configmapsleases" any more`},
		{nil, "want a manager.Options of controller-runtime, got <nil>"},
		{(*options)(nil), "want a manager.Options of controller-runtime, got *managed.options"},
		{struct{ LeaseDuration time.Duration }{}, "with a field LeaseDuration of type *time.Duration; got struct"},
	} {
		_, err := Read(c.options, usual)
		assert.ErrorContains(t, err, c.want)
	}
	o, err := Read(options{
		LeaderElection: true, LeaderElectionResourceLock: "endpoints", LeaderElectionReleaseOnCancel: true,
		LeaderElectionResourceLockInterface: &resourcelock.LeaseLock{},
	}, usual)
	require.NoError(t, err)
	assert.Equal(t, &Election{Timings: usual, Release: true, OwnLock: true}, o)
}
