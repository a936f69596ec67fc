package plan

import "time"

// Rate is a QPS of a Client, which a file gives as a qps.
type Rate float64

// HTTP1 is HTTP1 of a Client, which a file gives as a protocol.
type HTTP1 bool

var clientFields = []Field[Client]{
	FileField[Client]("kind"),
	FieldAt("qps", func(c *Client) *Rate { return (*Rate)(&c.QPS) }),
	FieldAt("burst", func(c *Client) *int { return &c.Burst }),
	FieldAt("retries", func(c *Client) *bool { return &c.Retries }),
	FieldAt("protocol", func(c *Client) *HTTP1 { return (*HTTP1)(&c.HTTP1) }),
	FieldAt("dial", func(c *Client) *time.Duration { return &c.Dial }),
	ListAt("other", func(c *Client) *[]Traffic { return &c.Other }),
}

// ClientFields returns the fields of clients, kind first, in the order of scenario files. They must not be changed.
func ClientFields() []Field[Client] { return clientFields }
