//go:build linux

package node

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
)

// pod is a pod that was bound to the node.
type pod struct {
	*corev1.Pod        // as it was then
	dir, log    string // its files, which are the container's root; what it writes
	started     metav1.Time
	over        chan struct{} // closed when it has ended and been reported

	mu      sync.Mutex
	process *os.Process // while it runs
	// asked: it was asked to end. meanwhile is what Kill gave.
	asked     bool
	meanwhile func()
}

// newPod returns a pod that has not been started, with its files in dir.
func newPod(p *corev1.Pod, dir string) *pod {
	return &pod{Pod: p, dir: dir, log: dir + ".log", over: make(chan struct{})}
}

// run runs a pod to its end, and tells the API server how it runs and ends. A pod that cannot be started is reported as failed.
// A pod that was deleted meanwhile is then removed from the API server, unless it has finalizers.
func (n *Node) run(ctx context.Context, p *pod) {
	defer close(p.over)
	var end func(s *corev1.PodStatus)
	cmd, err := n.command(ctx, p)
	if err == nil {
		err = p.start(cmd)
	}
	if err != nil {
		end = func(s *corev1.PodStatus) { s.Phase, s.Reason, s.Message = corev1.PodFailed, "CannotRun", err.Error() }
	} else {
		p.started = metav1.Now()
		n.report(ctx, p, p.runs)
		_ = cmd.Wait() // how it ended is in ProcessState
		if meanwhile := p.ended(); meanwhile != nil {
			meanwhile()
		}
		end = func(s *corev1.PodStatus) { p.exited(s, cmd.ProcessState.Sys().(syscall.WaitStatus)) }
	}
	if deleted := n.report(ctx, p, end); deleted {
		now := int64(0)
		_ = n.client.CoreV1().Pods(p.Namespace).Delete(ctx, p.Name, metav1.DeleteOptions{ // an error: it has gone
			GracePeriodSeconds: &now, Preconditions: metav1.NewUIDPreconditions(string(p.UID)),
		})
	}
}

// start starts the process. Its output goes to the log.
func (p *pod) start(cmd *exec.Cmd) error {
	log, err := os.Create(p.log)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	p.process = cmd.Process
	return nil
}

// ended marks the process as gone, and returns the function that Kill was given, nil for none.
func (p *pod) ended() (meanwhile func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.process = nil
	return p.meanwhile
}

// stop ends the process of a deleted pod: with SIGTERM, and with SIGKILL after the time given. A second call does nothing. If
// the process has not begun it does nothing either: the report that it runs leads to another call.
func (p *pod) stop(given time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked || p.process == nil {
		return
	}
	p.asked = true
	process := p.process
	_ = process.Signal(syscall.SIGTERM) // an error says that it has ended already, here and below
	time.AfterFunc(given, func() { _ = process.Kill() })
}

// kill kills the process, and stores meanwhile for ended to return. It returns false if there was no process to kill.
func (p *pod) kill(meanwhile func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process == nil || p.process.Kill() != nil {
		return false
	}
	p.meanwhile = meanwhile
	return true
}

// manyConflicts says how often, and with which pauses, a report is written anew when others have changed the pod.
var manyConflicts = wait.Backoff{Steps: 100, Duration: 10 * time.Millisecond}

// report changes the status of a pod at the API server by the function change, again and again if others change the pod
// meanwhile. deleted is true if the status was written and the pod is being deleted. If another pod has its name now, report
// changes nothing. It ignores errors, which mean that the pod or the test has ended.
func (n *Node) report(ctx context.Context, p *pod, change func(*corev1.PodStatus)) (deleted bool) {
	pods := n.client.CoreV1().Pods(p.Namespace)
	_ = retry.RetryOnConflict(manyConflicts, func() error {
		now, err := pods.Get(ctx, p.Name, metav1.GetOptions{})
		if err != nil || now.UID != p.UID {
			return err
		}
		change(&now.Status)
		now, err = pods.UpdateStatus(ctx, now, metav1.UpdateOptions{})
		deleted = err == nil && now.DeletionTimestamp != nil
		return err
	})
	return deleted
}

// runs changes s to the status of a pod with a running process.
func (p *pod) runs(s *corev1.PodStatus) {
	s.Phase, s.StartTime = corev1.PodRunning, &p.started
	for _, kind := range []corev1.PodConditionType{corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		s.Conditions = append(s.Conditions, corev1.PodCondition{
			Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: p.started,
		})
	}
	s.ContainerStatuses = p.container(corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: p.started}})
}

// exited changes s to the status of a pod with a process that has ended as how says. After a signal the exit code is 128 plus
// the signal's number.
func (p *pod) exited(s *corev1.PodStatus, how syscall.WaitStatus) {
	end := &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: p.started, FinishedAt: metav1.Now()}
	s.Phase = corev1.PodSucceeded
	if end.ExitCode = int32(how.ExitStatus()); how.Signaled() {
		end.ExitCode = 128 + int32(how.Signal())
	}
	if end.ExitCode != 0 {
		s.Phase, end.Reason = corev1.PodFailed, "Error"
	}
	for i := range s.Conditions {
		if c := &s.Conditions[i]; c.Type == corev1.ContainersReady || c.Type == corev1.PodReady {
			c.Status, c.LastTransitionTime = corev1.ConditionFalse, end.FinishedAt
		}
	}
	s.ContainerStatuses = p.container(corev1.ContainerState{Terminated: end})
}

// container returns the status of the pod's one container, with that state.
func (p *pod) container(state corev1.ContainerState) []corev1.ContainerStatus {
	c := &p.Spec.Containers[0]
	running := state.Running != nil
	return []corev1.ContainerStatus{{
		Name: c.Name, Image: c.Image, ImageID: "virtual://" + c.Image, ContainerID: "virtual://" + string(p.UID),
		State: state, Ready: running, Started: &running,
	}}
}

// String returns the pod's name for an error: "pod NAMESPACE/NAME".
func (p *pod) String() string { return fmt.Sprintf("pod %s/%s", p.Namespace, p.Name) }
