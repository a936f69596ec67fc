package etcdlock

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"interregnum/elector/ttl"
)

// Lock is one candidate's access to one key.
//
// Its errors say what it was about to do, with which key, where, and what etcd's client said; errors.Is and errors.As find
// the client's error.
type Lock struct {
	client        *clientv3.Client
	key, identity string
	ttl           time.Duration

	// lease is what this Lock's entries have been put under since the last release, 0 for none.
	lease clientv3.LeaseID
	// token is the revision that the own entry was created at, 0 where no answer has told it.
	token int64
	// seen is the store's revision in the last answer.
	seen atomic.Int64
}

var _ ttl.Lock = (*Lock)(nil)

// maxTTL is the longest lease that a server grants (MaxLeaseTTL in etcd's server/lease).
const maxTTL = 9_000_000_000 * time.Second

// New returns the Lock on a key of the candidate that the identity names; lasts is its TTL. It sends nothing. The client can be
// shared; the Lock does not close it. All candidates must have the same key and TTL, in whole seconds. The error names every
// argument that is wrong.
func New(client *clientv3.Client, key, identity string, lasts time.Duration) (*Lock, error) {
	var wrong []error
	refuse := func(what string, values ...any) { wrong = append(wrong, fmt.Errorf("etcdlock: "+what, values...)) }
	if client == nil {
		refuse("the client must not be nil")
	} else {
		for i, e := range client.Endpoints() {
			if strings.Contains(e, "@") {
				// Endpoints are in errors and logs.
				refuse("endpoint %d has a user or password: those belong into clientv3.Config.Username and Password", i+1)
			}
		}
	}
	if key == "" {
		refuse("the key must not be empty")
	}
	if identity == "" {
		refuse("the identity must not be empty")
	}
	if lasts < time.Second || lasts > maxTTL || lasts%time.Second != 0 {
		refuse("the TTL must be 1s or more, in whole seconds, as etcd's leases are; is %v", lasts)
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return &Lock{client: client, key: key, identity: identity, ttl: lasts}, nil
}

// Get implements ttl.Lock: it reads the key, and returns its value as the holder and its creation revision as the token;
// ttl.ErrAbsent if there is no key.
func (l *Lock) Get(ctx context.Context) (ttl.Entry, error) {
	answer, err := l.client.Get(ctx, l.key)
	if err != nil {
		return ttl.Entry{}, l.failed("read", err)
	}
	l.seen.Store(answer.Header.Revision)
	if len(answer.Kvs) == 0 {
		return ttl.Entry{}, ttl.ErrAbsent
	}
	return ttl.Entry{Holder: string(answer.Kvs[0].Value), Token: uint64(answer.Kvs[0].CreateRevision)}, nil
}

// Create implements ttl.Lock: it renews the Lock's etcd lease, or gets a new one, and puts the key under it if there is no such
// key. If there is one it returns ttl.ErrTaken. First it forgets the token of the entry before.
func (l *Lock) Create(ctx context.Context) (ttl.Entry, error) {
	l.token = 0
	// The entry lasts from when its lease was last renewed, not from when it was put.
	err := l.renew(ctx)
	if errors.Is(err, rpctypes.ErrLeaseNotFound) {
		err = l.grant(ctx)
	}
	if err != nil {
		return ttl.Entry{}, l.failed("get a lease for", err)
	}
	answer, err := l.client.Txn(ctx).
		If(clientv3.Compare(clientv3.CreateRevision(l.key), "=", 0)).
		Then(clientv3.OpPut(l.key, l.identity, clientv3.WithLease(l.lease))).
		Commit()
	if err != nil {
		return ttl.Entry{}, l.failed("create", err)
	}
	l.seen.Store(answer.Header.Revision)
	if !answer.Succeeded {
		return ttl.Entry{}, ttl.ErrTaken
	}
	return l.own(answer.Header.Revision), nil
}

// Replace implements ttl.Lock. It is Create, since an expired key is gone.
func (l *Lock) Replace(ctx context.Context) (ttl.Entry, error) { return l.Create(ctx) }

// Refresh implements ttl.Lock: it renews the Lock's etcd lease once, and then looks whether the key is still the own one. It
// returns ttl.ErrLost if the lease is gone, or if the key is not the own one.
func (l *Lock) Refresh(ctx context.Context) (ttl.Entry, error) {
	err := l.renew(ctx)
	if errors.Is(err, rpctypes.ErrLeaseNotFound) {
		return ttl.Entry{}, ttl.ErrLost
	}
	if err != nil {
		return ttl.Entry{}, l.failed("refresh", err)
	}
	// A lease outlives a key that somebody has deleted.
	mine := []clientv3.Cmp{clientv3.Compare(clientv3.LeaseValue(l.key), "=", l.lease)}
	if l.token != 0 {
		mine = append(mine, clientv3.Compare(clientv3.CreateRevision(l.key), "=", l.token))
	}
	answer, err := l.client.Txn(ctx).If(mine...).Then(clientv3.OpGet(l.key)).Commit()
	if err != nil {
		return ttl.Entry{}, l.failed("refresh", err)
	}
	l.seen.Store(answer.Header.Revision)
	if !answer.Succeeded {
		l.token = 0
		return ttl.Entry{}, ttl.ErrLost
	}
	return l.own(answer.Responses[0].GetResponseRange().Kvs[0].CreateRevision), nil
}

// Release implements ttl.Lock: it deletes the key if that is under the Lock's etcd lease, and otherwise returns ttl.ErrLost. It
// also tries to revoke that lease, and forgets it and the token, whatever the result.
func (l *Lock) Release(ctx context.Context) error {
	lease := l.lease
	l.lease, l.token = clientv3.NoLease, 0
	if lease == clientv3.NoLease {
		return ttl.ErrLost
	}
	answer, err := l.client.Txn(ctx).
		If(clientv3.Compare(clientv3.LeaseValue(l.key), "=", lease)).
		Then(clientv3.OpDelete(l.key)).
		Commit()
	// What is still under way can then no more be put. Where this fails the lease expires by itself.
	_, _ = l.client.Revoke(ctx, lease)
	if err != nil {
		return l.failed("release", err)
	}
	l.seen.Store(answer.Header.Revision)
	if !answer.Succeeded {
		return ttl.ErrLost
	}
	return nil
}

// Identity implements ttl.Lock: it returns the identity that New was given.
func (l *Lock) Identity() string { return l.identity }

// TTL implements ttl.Lock: it returns how long a lease lasts, as New was given it.
func (l *Lock) TTL() time.Duration { return l.ttl }

// Describe implements ttl.Lock: it returns, as text, the key, the hosts of etcd, and that etcd's clock decides.
func (l *Lock) Describe() string { return l.where() + ", by etcd's clock" }

// where names the lock for people: its key, and the hosts of etcd. Of endpoints that are URLs it shows only the host.
func (l *Lock) where() string {
	hosts := l.client.Endpoints()
	for i, e := range hosts {
		if u, err := url.Parse(e); err == nil && u.Host != "" {
			hosts[i] = u.Host
		}
	}
	return fmt.Sprintf("key %q in etcd at %s", l.key, strings.Join(hosts, ", "))
}

// own stores in the Lock the fencing token of an entry that is now this candidate's, and returns that entry.
func (l *Lock) own(token int64) ttl.Entry {
	l.token = token
	return ttl.Entry{Holder: l.identity, Token: uint64(token)}
}

// renew extends the Lock's etcd lease to a full TTL from now. If there is no lease, or etcd has it no more, it returns
// rpctypes.ErrLeaseNotFound; the Lock then has forgotten the lease and its token.
func (l *Lock) renew(ctx context.Context) error {
	if l.lease == clientv3.NoLease {
		return rpctypes.ErrLeaseNotFound
	}
	err := l.keepAlive(ctx)
	if errors.Is(err, rpctypes.ErrLeaseNotFound) {
		l.lease, l.token = clientv3.NoLease, 0
	}
	return err
}

// keepAlive tries once to renew the etcd lease. It returns rpctypes.ErrLeaseNotFound if etcd has that lease no more. The
// client's own KeepAliveOnce would try again without a pause while there is no connection.
func (l *Lock) keepAlive(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := clientv3.RetryLeaseClient(l.client).LeaseKeepAlive(ctx)
	if err != nil {
		return clientv3.ContextError(ctx, err)
	}
	if err := stream.Send(&etcdserverpb.LeaseKeepAliveRequest{ID: int64(l.lease)}); err != nil {
		return clientv3.ContextError(ctx, err)
	}
	answer, err := stream.Recv()
	switch {
	case err != nil:
		return clientv3.ContextError(ctx, err)
	case answer.TTL <= 0:
		return rpctypes.ErrLeaseNotFound
	}
	return nil
}

// grant gets a new etcd lease that lasts TTL, and stores its ID in l.lease. It returns the client's error, and leaves l.lease
// then.
func (l *Lock) grant(ctx context.Context) error {
	answer, err := l.client.Grant(ctx, int64(l.ttl/time.Second))
	if err != nil {
		return err
	}
	l.lease = answer.ID
	return nil
}

// failed wraps an error with what was being done, as doing says, and with the lock's place. If the connection is not ready it
// adds the connection's state, since the client's own error then only says that its context has ended.
func (l *Lock) failed(doing string, err error) error {
	connection := ""
	if c := l.client.ActiveConnection(); c != nil {
		if state := c.GetState().String(); state != "READY" {
			connection = " (connection: " + state + ")"
		}
	}
	return fmt.Errorf("%s %s%s: %w", doing, l.where(), connection, err)
}
