//go:build linux

package node

import (
	"context"
	"net"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

// register creates the Node object at the API server: ready, and with logs as the address of its kubelet.
func (n *Node) register(ctx context.Context, logs net.Addr) error {
	nodes, at := n.client.CoreV1().Nodes(), logs.(*net.TCPAddr)
	made, err := nodes.Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.name}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("8Gi"),
		corev1.ResourcePods: resource.MustParse("100"),
	}
	made.Status = corev1.NodeStatus{
		Capacity: room, Allocatable: room,
		Conditions:      []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "Virtual"}},
		Addresses:       []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: at.IP.String()}},
		DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: int32(at.Port)}},
	}
	_, err = nodes.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	return err
}

// place waits until the pod's claims are bound to volumes, and then binds the pod to the node. It ignores errors, which mean
// that the pod or the test has ended.
func (n *Node) place(ctx context.Context, p *corev1.Pod) {
	for _, v := range p.Spec.Volumes {
		if v.PersistentVolumeClaim != nil && n.awaitBound(ctx, p.Namespace, v.PersistentVolumeClaim.ClaimName) != nil {
			return
		}
	}
	_ = n.client.CoreV1().Pods(p.Namespace).Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: p.Name, UID: p.UID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: n.name},
	}, metav1.CreateOptions{})
}

// awaitBound waits until a claim is bound to a volume. It returns an error if ctx ends before that.
func (n *Node) awaitBound(ctx context.Context, namespace, claim string) error {
	one := fields.OneTermEqualSelector(metav1.ObjectNameField, claim)
	list := cache.NewListWatchFromClient(n.client.CoreV1().RESTClient(), "persistentvolumeclaims", namespace, one)
	_, err := watchtools.UntilWithSync(ctx, list, &corev1.PersistentVolumeClaim{}, nil, func(e watch.Event) (bool, error) {
		c, ok := e.Object.(*corev1.PersistentVolumeClaim)
		return ok && c.Status.Phase == corev1.ClaimBound, nil
	})
	return err
}
