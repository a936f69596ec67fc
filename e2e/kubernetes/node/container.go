//go:build linux

package node

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// contain is a shell script that runs a program with the folder "$0" as its root. Its arguments are the user, the group, the
// working directory, and ro or rw for the root. Then come, for each volume, its folder, where it is mounted, and ro or rw. "--"
// and the program are last.
const contain = `set -e
user=$1 group=$2 wd=$3 access=$4; shift 4
mount --bind "$0" "$0"
while [ "$1" != -- ]; do
	mount --bind "$1" "$0$2"
	[ "$3" = rw ] || mount -o "remount,bind,$3" "$0$2"
	shift 3
done
[ "$access" = rw ] || mount -o "remount,bind,$access" "$0"
exec unshare --user --map-user="$user" --map-group="$group" --root="$0" --wd="$wd" "$@"`

// command returns the command that runs a pod's container, not started yet, and prepares its root file system. The process is
// killed when ctx ends. It returns an error for a pod that this node cannot run.
func (n *Node) command(ctx context.Context, p *pod) (*exec.Cmd, error) {
	if len(p.Spec.Containers) != 1 || len(p.Spec.InitContainers) > 0 {
		return nil, fmt.Errorf("%v: expected one container, got %d and %d to begin with",
			p, len(p.Spec.Containers), len(p.Spec.InitContainers))
	}
	c := &p.Spec.Containers[0]
	image, known := n.images[c.Image]
	if !known {
		return nil, fmt.Errorf("%v: no image %s", p, c.Image)
	}
	if err := image.unpack(p.dir); err != nil {
		return nil, err
	}
	environment, variables, err := environ(p.Pod)
	if err != nil {
		return nil, err
	}
	args, err := p.identity()
	if err != nil {
		return nil, err
	}
	args = append(args, cmp.Or(c.WorkingDir, image.WorkingDir, "/"), access(readOnlyRoot(c)))
	for _, m := range c.VolumeMounts {
		folder, err := n.volume(ctx, p, m.Name)
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Join(p.dir, m.MountPath), 0o755); err != nil {
			return nil, err
		}
		args = append(args, folder, m.MountPath, access(m.ReadOnly))
	}
	args = append(args, "--")
	program := image.Entrypoint
	if len(c.Command) > 0 {
		program = c.Command
	}
	for _, a := range append(append([]string{}, program...), c.Args...) {
		args = append(args, expand(a, variables))
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", contain, p.dir}, args...)...)
	cmd.Env = environment
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	return cmd, nil
}

// access returns the mount option for a volume: "ro" if it is read-only, otherwise "rw".
func access(readOnly bool) string {
	if readOnly {
		return "ro"
	}
	return "rw"
}

// readOnlyRoot tells whether the container asks for a root file system that is read-only.
func readOnlyRoot(c *corev1.Container) bool {
	s := c.SecurityContext
	return s != nil && s.ReadOnlyRootFilesystem != nil && *s.ReadOnlyRootFilesystem
}

// identity returns the user ID and the group ID of a pod's process, or an error if the pod does not name both.
func (p *pod) identity() ([]string, error) {
	s := p.Spec.SecurityContext
	if s == nil || s.RunAsUser == nil || s.RunAsGroup == nil {
		return nil, fmt.Errorf("%v: expected runAsUser and runAsGroup", p)
	}
	return []string{fmt.Sprint(*s.RunAsUser), fmt.Sprint(*s.RunAsGroup)}, nil
}

// unpack makes the image's folders and files below the folder dir. The files are hard links.
func (i *Image) unpack(dir string) error {
	for _, folder := range append([]string{"/"}, i.Folders...) {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			return err
		}
	}
	for name, from := range i.Files {
		if err := os.Link(from, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// volume returns the folder, on this machine, of the pod's volume with that name: the host path of the persistent volume to
// which its claim is bound.
func (n *Node) volume(ctx context.Context, p *pod, name string) (string, error) {
	for _, v := range p.Spec.Volumes {
		if v.Name != name || v.PersistentVolumeClaim == nil {
			continue
		}
		claim, err := n.client.CoreV1().PersistentVolumeClaims(p.Namespace).
			Get(ctx, v.PersistentVolumeClaim.ClaimName, metav1.GetOptions{})
		if err != nil {
			return "", err
		}
		bound, err := n.client.CoreV1().PersistentVolumes().Get(ctx, claim.Spec.VolumeName, metav1.GetOptions{})
		if err != nil {
			return "", err
		}
		if bound.Spec.HostPath == nil {
			return "", fmt.Errorf("%v: expected volume %s on a host path, got %s", p, name, bound.Spec.PersistentVolumeSource.String())
		}
		return bound.Spec.HostPath.Path, nil
	}
	return "", fmt.Errorf("%v: no volume %s with a claim", p, name)
}

// environ returns the environment of a pod's process as a list of NAME=value, and the values by name, for expand. HOSTNAME is
// only in the list.
func environ(p *corev1.Pod) (list []string, values map[string]string, err error) {
	list, values = []string{"HOSTNAME=" + p.Name}, map[string]string{}
	for _, e := range p.Spec.Containers[0].Env {
		value := expand(e.Value, values)
		if e.ValueFrom != nil {
			if value, err = field(p, e.ValueFrom); err != nil {
				return nil, nil, err
			}
		}
		values[e.Name] = value
		list = append(list, e.Name+"="+value)
	}
	return list, values, nil
}

// field returns the value of a label or an annotation of the pod that from names, as the downward API does. It returns an error
// for any other source.
func field(p *corev1.Pod, from *corev1.EnvVarSource) (string, error) {
	if from.FieldRef != nil {
		of, key, _ := strings.Cut(strings.TrimSuffix(from.FieldRef.FieldPath, "']"), "['")
		switch of {
		case "metadata.labels":
			return p.Labels[key], nil
		case "metadata.annotations":
			return p.Annotations[key], nil
		}
	}
	return "", fmt.Errorf("pod %s/%s: expected a label or an annotation, got %v", p.Namespace, p.Name, from)
}

// expand returns the text with each $(NAME) replaced by its value, and each $$ by $, as Kubernetes does. A $(NAME) without a
// value stays as it is.
func expand(text string, values map[string]string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, rest, closed := strings.Cut(strings.TrimPrefix(after, "("), ")")
		switch {
		case strings.HasPrefix(after, "$"):
			b.WriteByte('$')
			text = after[1:]
		case strings.HasPrefix(after, "(") && closed:
			value, known := values[name]
			if !known {
				value = "$(" + name + ")"
			}
			b.WriteString(value)
			text = rest
		default:
			b.WriteByte('$')
			text = after
		}
	}
}
