package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// place is where a lock is kept.
type place struct {
	// kind is onKubernetes, onSQLite, onPostgreSQL or onEtcd.
	kind string
	// path is SQLite's file; dsn PostgreSQL's connection string, which may hold a password; endpoint and key are
	// etcd's, and user and password too. tls: etcd's connection is encrypted, and the server verified.
	path, dsn, endpoint, key, user, password string
	tls                                      bool
}

const (
	onKubernetes = "kubernetes"
	onSQLite     = "sqlite"
	onPostgreSQL = "postgres"
	onEtcd       = "etcd"
)

// parsePlace parses the value of --lock: the word kubernetes, or a URL of SQLite, PostgreSQL or etcd. Its errors contain nothing of
// the text that could be a password.
func parsePlace(text string) (place, error) {
	if text == onKubernetes {
		return place{kind: onKubernetes}, nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return place{}, errors.New("it is no URL (its text is kept back, since it may hold a password): " +
			"user and password must be percent-encoded")
	}
	switch u.Scheme {
	case "sqlite":
		return sqlitePlace(u)
	case "postgres", "postgresql":
		return postgresPlace(u)
	case "etcd", "etcds":
		return etcdPlace(u)
	}
	return place{}, fmt.Errorf("expected kubernetes, or a URL that begins with sqlite:///, postgres://, etcd:// or "+
		"etcds://, got one that begins with %.20q", u.Scheme)
}

// sqlitePlace returns the place of a lock in SQLite, from sqlite:///PATH, or an error for a URL of another form.
func sqlitePlace(u *url.URL) (place, error) {
	if u.Host != "" || u.User != nil || len(u.Path) < 2 || u.RawQuery != "" || u.Fragment != "" {
		return place{}, errors.New("expected sqlite:// and an absolute path, as in sqlite:///var/lib/job.lock " +
			"(%3F for a question mark)")
	}
	return place{kind: onSQLite, path: u.Path}, nil
}

// postgresPlace returns the place of a lock in PostgreSQL, from postgres://USER@HOST/DATABASE. For a server that is not on this
// host it sets sslmode=verify-full, so that the server is verified, and returns an error for any other sslmode. It also returns an
// error for a URL of another form, or with a parameter that names the host. It changes u.
func postgresPlace(u *url.URL) (place, error) {
	q := u.Query()
	for _, key := range []string{"host", "hostaddr", "service", "servicefile"} {
		if q.Has(key) {
			return place{}, fmt.Errorf("the parameter %s is not taken: the host goes before the path", key)
		}
	}
	if u.Host == "" || len(u.Path) < 2 {
		return place{}, errors.New("expected postgres://USER@HOST/DATABASE")
	}
	mode := q.Get("sslmode")
	switch {
	case localHosts(u.Host) || mode == "verify-full":
	case mode == "":
		q.Set("sslmode", "verify-full")
	default:
		return place{}, fmt.Errorf("sslmode=%.20q would not verify the server: expected verify-full "+
			"(the default here), with sslrootcert=FILE for a CA of your own", mode)
	}
	u.RawQuery = q.Encode()
	return place{kind: onPostgreSQL, dsn: u.String()}, nil
}

// etcdPlace returns the place of a lock in etcd, from etcd://HOST:PORT/KEY or, with TLS, etcds://…. It returns an error for a URL
// of another form, and for a password that would go to another host without TLS.
func etcdPlace(u *url.URL) (place, error) {
	if u.Port() == "" || len(u.Path) < 2 || u.RawQuery != "" || u.Fragment != "" {
		return place{}, errors.New("expected etcd://HOST:PORT/KEY")
	}
	p := place{kind: onEtcd, endpoint: u.Host, key: u.Path, tls: u.Scheme == "etcds"}
	p.user = u.User.Username()
	p.password, _ = u.User.Password()
	if p.password != "" && !p.tls && !localHosts(u.Host) {
		return place{}, errors.New("a password over etcd:// can be read on the way: expected etcds://")
	}
	return p, nil
}

// localHosts tells whether all of a URL's hosts are this machine: localhost or a loopback address. hosts is the host part
// of the URL, as url.URL.Host has it: one or more, with commas between them, each with or without a port. An empty host is
// not this machine.
func localHosts(hosts string) bool {
	for host := range strings.SplitSeq(hosts, ",") {
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.Trim(host, "[]")
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return false
		}
	}
	return true
}

// secret tells whether the value of --lock holds a password: after the user's name, or as the parameter password or sslpassword.
// A text that is no URL counts as one with a password if it contains an @.
func secret(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return strings.Contains(text, "@")
	}
	_, set := u.User.Password()
	return set || u.Query().Has("password") || u.Query().Has("sslpassword")
}
