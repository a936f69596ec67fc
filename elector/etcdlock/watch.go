package etcdlock

import (
	"context"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// Watch implements ttl.Lock: the channel that it returns is closed when the key is put or deleted after the revision of the
// last answer, when the watch fails, and when ctx ends. The watch also ends if the etcd member that serves it has lost touch
// with the others. The error is always nil.
func (l *Lock) Watch(ctx context.Context) (<-chan struct{}, error) {
	ctx, cancel := context.WithCancel(clientv3.WithRequireLeader(ctx))
	var since []clientv3.OpOption
	if seen := l.seen.Load(); seen != 0 {
		since = append(since, clientv3.WithRev(seen+1))
	}
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		defer cancel()
		for answer := range l.client.Watch(ctx, l.key, since...) {
			if len(answer.Events) > 0 || answer.Err() != nil {
				return
			}
		}
	}()
	return changed, nil
}
