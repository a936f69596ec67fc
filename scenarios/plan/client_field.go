package plan

import "time"

// Rate is a QPS of a Client, which a file gives as a qps.
type Rate float64

// HTTP1 is HTTP1 of a Client, which a file gives as a protocol.
type HTTP1 bool

var (
	clientFields = []Field[Client]{
		fileField[Client]("kind"),
		field("qps", func(c *Client) *Rate { return (*Rate)(&c.QPS) }),
		field("burst", func(c *Client) *int { return &c.Burst }),
		field("retries", func(c *Client) *bool { return &c.Retries }),
		field("protocol", func(c *Client) *HTTP1 { return (*HTTP1)(&c.HTTP1) }),
		field("dial", func(c *Client) *time.Duration { return &c.Dial }),
		listField("other", func(c *Client) *[]Traffic { return &c.Other }),
	}
	trafficFields = []Field[Traffic]{
		field("at", func(t *Traffic) *time.Duration { return &t.At }),
		field("until", func(t *Traffic) **time.Duration { return &t.Until }),
		field("every", func(t *Traffic) *time.Duration { return &t.Every }),
		field("count", func(t *Traffic) *int { return &t.Count }),
		field("drawn", func(t *Traffic) *bool { return &t.Drawn }),
	}
)

// ClientFields returns the fields of clients, in the order of scenario files. They must not be changed.
func ClientFields() []Field[Client] { return clientFields }

// TrafficFields returns the fields of other traffic, in the order of scenario files. They must not be changed.
func TrafficFields() []Field[Traffic] { return trafficFields }
