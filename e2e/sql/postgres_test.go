package sql_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// server is a PostgreSQL of this test's own: on loopback, with all that it has in a temporary folder.
type server struct {
	// missing is why there is none.
	missing string
	err     error
	port    int
	stop    func()
}

const password = "s3cret/%&:@ pw"

func TestMain(m *testing.M) {
	electorproc.Main()
	code := m.Run()
	if stop := postgres().stop; stop != nil {
		stop()
	}
	os.Exit(code)
}

// postgres starts the server at its first call.
var postgres = sync.OnceValue(func() *server {
	bin := programs()
	if bin == "" {
		return &server{missing: "no initdb here: install PostgreSQL, Debian's package postgresql"}
	}
	as := &syscall.SysProcAttr{}
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 { // initdb and the server refuse to be root
		u, err := user.Lookup("postgres")
		if err != nil {
			return &server{missing: "root cannot run PostgreSQL, and there is no user postgres"}
		}
		uid, _ = strconv.Atoi(u.Uid)
		gid, _ = strconv.Atoi(u.Gid)
		as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	s := &server{}
	s.err = s.start(bin, as, uid, gid)
	return s
})

// programs is the folder with initdb in it, "" for none.
func programs() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return ""
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1])
}

func (s *server) start(bin string, as *syscall.SysProcAttr, uid, gid int) error {
	dir, err := os.MkdirTemp("", "sqllock")
	if err != nil {
		return err
	}
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte(password), 0o644); err != nil {
		return err
	}
	if err := os.Chown(dir, uid, gid); err != nil {
		return err
	}
	data := filepath.Join(dir, "data")
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "candidate", "--pwfile="+secret,
		"-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.Dir, initdb.SysProcAttr = dir, as
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	if s.port, err = freePort(); err != nil {
		return err
	}
	// The shell ends the server when this process, which holds the other end of its standard input, does.
	const script = `"$@" & pid=$!; read -r _; kill -INT $pid; wait $pid`
	var log bytes.Buffer
	run := exec.Command("/bin/sh", "-c", script, "sh", filepath.Join(bin, "postgres"), "-D", data,
		"-p", strconv.Itoa(s.port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
		"-c", "fsync=off", "-c", "max_connections=60")
	run.Dir, run.SysProcAttr, run.Stdout, run.Stderr = dir, as, &log, &log
	in, err := run.StdinPipe()
	if err != nil {
		return err
	}
	if err := run.Start(); err != nil {
		return err
	}
	s.stop = func() {
		_ = in.Close()
		_ = run.Wait()
		_ = os.RemoveAll(dir)
	}
	if err := s.ready(); err != nil {
		s.stop()
		s.stop = nil
		return fmt.Errorf("%w: the server says: %s", err, log.Bytes())
	}
	return nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// ready waits until the server answers.
func (s *server) ready() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	db, err := sql.Open("pgx", s.dsn(nil))
	if err != nil {
		return err
	}
	defer func(c io.Closer) { _ = c.Close() }(db)
	for again := time.NewTicker(20 * time.Millisecond); ; {
		if err = db.PingContext(ctx); err == nil {
			return nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return err
		}
	}
}

// dsn is the connection string, with parameters.
func (s *server) dsn(parameters url.Values) string {
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword("candidate", password),
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)), Path: "/postgres", RawQuery: parameters.Encode(),
	}
	return u.String()
}

// openPostgres opens the server, or skips the test where there is none.
func openPostgres(t *testing.T, parameters url.Values) *sql.DB {
	t.Helper()
	s := postgres()
	if s.missing != "" {
		t.Skip(s.missing)
	}
	require.NoError(t, s.err)
	return open(t, "pgx", s.dsn(parameters))
}

// TestServer says which server the tests run on, or that there is none.
func TestServer(t *testing.T) {
	var version string
	require.NoError(t, openPostgres(t, nil).QueryRowContext(t.Context(), "SELECT version()").Scan(&version))
	t.Log(version)
}
