package bound

import (
	"time"

	"interregnum/plan"
)

// This file is when an attempt to acquire can begin, if nothing is read before it for long: docs/method/derivation.md, "Closings".

// beginsUnread returns how long after an answer, or after a new connection, an attempt to acquire begins at the soonest, if it begins the time
// least after that or later, and nothing is read in between. After a call that is answered or lost the waits of a candidate are from
// RetryPeriod to the longest with jitter, and an attempt of which nothing is answered loses a write and a read. pinged tells that the answer
// is one to which a ping just before it is not answered: then the next call is lost, too. All times are on the client's clock.
//
// beginsUnread returns least itself where other times are possible: where nothing ends a lost call in time, where the process may be frozen,
// which nothing limits before it acquires, and where the elector may run again. So it does for a profile that reads first and for versions
// between, whose attempts differ, and for a RetryPeriod below a second, since then there are many attempts. A time of plan.LongestStall and
// plan.RepeatAfter or longer counts as a little less, so that from such a lease on a longer one lets no more closings count.
func (m *model) beginsUnread(least time.Duration, pinged bool) time.Duration {
	f := m.c.RequestTimeout
	if f == 0 || m.e.MaxPause > 0 || m.e.Reruns || m.asleep() > 0 || m.c.Profile.ReadsFirst() || m.c.Minor > 0 || m.c.RetryPeriod < time.Second {
		return least
	}
	shortest, longest := m.c.RetryPeriod, m.c.RetryPeriod*11/5
	limited, early, lost := m.most(m.limited), time.Duration(0), time.Duration(0)
	if limited > 0 { // what is to be sent again fails at once where its token would come too late
		early = plan.RepeatAfter + m.most(m.slow(m.e.MaxRetryAfter))
	}
	if pinged && m.answersApart() < plan.ReadIdle && !m.repeats() {
		lost = 1
	}
	for waits := time.Duration(1); ; waits++ {
		for calls := lost + 2*(waits-1); calls < 2*waits; calls++ {
			if early+calls*(f+limited)+waits*longest >= least {
				return max(least, min(calls*f+waits*shortest, plan.LongestStall+plan.RepeatAfter-1))
			}
		}
	}
}

// beginsBeforeClosing returns how long after an answer an attempt to acquire begins at the soonest, if it begins the time least after that or
// later, and the next ping after that answer is not answered. One call can be sent just before this ping and answered just after it, plan.ReadIdle
// after the first answer or later. It takes less time than a lost call, and keeps no connection open. If there is no such call, nothing is read
// in between. All times are on the client's clock.
func (m *model) beginsBeforeClosing(least time.Duration) time.Duration {
	return max(least, min(m.beginsUnread(least, false), plan.ReadIdle+m.c.RetryPeriod))
}
