package kubelock

import (
	"bytes"
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// unknownLeader is the holder in the record of a pair whose two objects name different holders.
const unknownLeader = "leaderelection.k8s.io/unknown"

// part is one of the two locks of a pair, with what elector asks of a lock beyond resourcelock.Interface.
type part interface {
	resourcelock.Interface
	ResourceVersion() string
	TimeUnit() time.Duration
	Event(what string) (tell func())
	UID() types.UID
}

// pair is a lock of two objects: the primary, which old candidates know, and the secondary, which new ones do.
type pair struct {
	primary, secondary part
}

// Get returns the record of the primary. If the two objects name different holders, the record's holder is unknownLeader. The
// bytes are those of both records, with a comma between them, so that an observer sees it if either is renewed. If the secondary
// is missing it returns the primary's record and bytes alone or, if this candidate is the primary's holder, the error NotFound.
func (p *pair) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	record, raw, err := p.primary.Get(ctx)
	if err != nil {
		return nil, nil, err
	}
	second, secondRaw, err := p.secondary.Get(ctx)
	if apierrors.IsNotFound(err) && record.HolderIdentity != p.Identity() {
		// An old candidate's.
		return record, raw, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if record.HolderIdentity != second.HolderIdentity {
		record.HolderIdentity = unknownLeader
		if raw, err = encode(record); err != nil {
			return nil, nil, err
		}
	}
	return record, bytes.Join([][]byte{raw, secondRaw}, []byte(",")), nil
}

// Create creates both objects with that record. If the primary exists already it is left as it is, and the secondary is created.
// If the secondary exists, Create returns an error.
func (p *pair) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	if err := p.primary.Create(ctx, record); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return p.secondary.Create(ctx, record)
}

// Update writes the record into the primary by compare-and-swap, and then into the secondary, whatever the secondary holds. It
// creates a secondary that is missing. If the first write fails, the second is not made.
func (p *pair) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	if err := p.primary.Update(ctx, record); err != nil {
		return err
	}
	write := p.secondary.Update
	if _, _, err := p.secondary.Get(ctx); apierrors.IsNotFound(err) {
		write = p.secondary.Create
	}
	return write(ctx, record)
}

// RecordEvent records a Kubernetes event about each of the two objects as they are now. Its text is the candidate's identity
// and what. Without an event recorder it does nothing.
func (p *pair) RecordEvent(what string) { p.Event(what)() }

// Event prepares an event about both objects as they are now; its text is the candidate's identity and what. The function that
// it returns records the event for each.
func (p *pair) Event(what string) (tell func()) {
	first, second := p.primary.Event(what), p.secondary.Event(what)
	return func() { first(); second() }
}

// Identity returns the identity of the lock's candidate.
func (p *pair) Identity() string { return p.primary.Identity() }

// Describe returns the place of both objects, which have the same name: "namespace/name".
func (p *pair) Describe() string { return p.primary.Describe() }

// ResourceVersion returns the version of the secondary. elector makes fencing tokens of it. The secondary is written last of
// all, even if a Create has found the primary there already. The primary's version would not do: a pair that takes over from
// candidates that write the secondary alone could get a lower token than theirs, and be refused for good.
func (p *pair) ResourceVersion() string { return p.secondary.ResourceVersion() }

// UID returns the UIDs of both objects, with a space between them. In the place of an object that is not known there is nothing, so
// that the text is never empty.
func (p *pair) UID() types.UID { return p.primary.UID() + " " + p.secondary.UID() }

// TimeUnit returns the precision of times in the primary's record, which is the record of the pair.
func (p *pair) TimeUnit() time.Duration { return p.primary.TimeUnit() }
