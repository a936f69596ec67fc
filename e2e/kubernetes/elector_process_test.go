package kubernetes_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// candidate is an elector that runs as a process.
type candidate struct {
	id  string
	cmd *exec.Cmd
	// log is the file of its standard error; work that of its command.
	log, work string
	over      chan struct{}
	// killed is when it got SIGKILL.
	killed time.Time
	// drain is how long its command took to end when it was told to, as terms has found.
	drain time.Duration
}

// record is the guarded command: it notes when it starts and when it is told to end.
const record = `trap 'echo end $(date +%s%N) >>"$0"; exit' TERM; echo start $(date +%s%N) >>"$0"; sleep 1000 & wait`

// launch starts an elector; dir is for its files.
func launch(program, dir, id string, args ...string) (*candidate, error) {
	c := &candidate{
		id: id, log: filepath.Join(dir, id+".log"), work: filepath.Join(dir, id+".work"), over: make(chan struct{}),
	}
	log, err := os.Create(c.log)
	if err != nil {
		return nil, err
	}
	args = append([]string{"--id=" + id}, args...)
	if !strings.Contains(strings.Join(args, " "), "--profile=client-go") {
		args = append(args, "--", "/bin/sh", "-c", record, c.work)
	}
	c.cmd = exec.Command(program, args...)
	return c, startLogged(c.cmd, log, c.over)
}

// startLogged starts a command that ends with this process, and whose log goes into a file. over is closed when it has ended, and the file with it.
func startLogged(cmd *exec.Cmd, log *os.File, over chan struct{}) error {
	cmd.Stderr = log
	endWithParent(cmd)
	started := make(chan error)
	go func() {
		// It is killed with the thread that has started it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer log.Close()
		defer close(over)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	return <-started
}

func (c *candidate) signal(s syscall.Signal) error {
	err := c.cmd.Process.Signal(s)
	if s == syscall.SIGKILL {
		c.killed = time.Now()
		<-c.over
	}
	return err
}

// end kills it if it runs; what it has run ends with it.
func (c *candidate) end() {
	_ = c.cmd.Process.Kill()
	<-c.over
}

// said is a line of an elector's log.
type said struct {
	Time time.Time `json:"time"`
	Msg  string    `json:"msg"`
}

func (c *candidate) lines() (all []said, err error) {
	file, err := os.Open(c.log)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var s said
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("the log of %s: expected a JSON object, got %q", c.id, lines.Text())
		}
		all = append(all, s)
	}
	return all, lines.Err()
}

// began is when it went into the election.
func (c *candidate) began() (time.Time, error) {
	all, err := c.lines()
	if err != nil {
		return time.Time{}, err
	}
	for _, s := range all {
		if s.Msg == "Contending for the lease" {
			return s.Time, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s has not contended; its log: %v", c.id, all)
}

// terms are those that its log tells of, until horizon. A term ends where it no longer leads or, with a command, where
// that has ended.
func (c *candidate) terms(epoch time.Time, horizon time.Duration) (terms []term, err error) {
	all, err := c.lines()
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		at := s.Time.Sub(epoch)
		if at > horizon {
			break
		}
		switch last := len(terms) - 1; {
		case s.Msg == "Leading":
			terms = append(terms, term{c.id, at, horizon})
		case last >= 0 && (s.Msg == "No longer leading" || s.Msg == "the command was stopped"):
			if s.Msg == "the command was stopped" && terms[last].end < at {
				c.drain = max(c.drain, at-terms[last].end)
			}
			terms[last].end = at
		}
	}
	if last := len(terms) - 1; last >= 0 && !c.killed.IsZero() {
		terms[last].end = min(terms[last].end, c.killed.Round(0).Sub(epoch))
	}
	return terms, nil
}

// commands are the stretches in which its command ran, as told by itself.
func (c *candidate) commands(epoch time.Time, horizon time.Duration) (all []term, err error) {
	text, err := os.ReadFile(c.work)
	if os.IsNotExist(err) {
		return nil, nil
	}
	for line := range strings.Lines(string(text)) {
		var what string
		var ns int64
		if _, err := fmt.Sscan(line, &what, &ns); err != nil {
			return nil, fmt.Errorf("the command of %s: expected start or end and a time, got %q", c.id, line)
		}
		at := time.Unix(0, ns).Sub(epoch)
		if what == "start" {
			all = append(all, term{c.id, at, horizon})
		} else {
			all[len(all)-1].end = min(at, horizon)
		}
	}
	return all, err
}
