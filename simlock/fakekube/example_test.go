package fakekube_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"interregnum/simlock/fakekube"
)

func Example() {
	var server fakekube.Server
	a := server.ClientsetFor("a").CoordinationV1().Leases("default")
	b := server.ClientsetFor("b").CoordinationV1().Leases("default")

	ctx := context.Background()
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "lock"}}
	read, _ := a.Create(ctx, lease, metav1.CreateOptions{})
	holder := "a"
	read.Spec.HolderIdentity = &holder
	_, err := a.Update(ctx, read, metav1.UpdateOptions{})
	fmt.Println("a:", err)
	_, err = b.Update(ctx, read, metav1.UpdateOptions{})
	fmt.Println("b:", err)

	server.Inject(fakekube.Fault{User: "b", Status: 403})
	_, err = b.Get(ctx, "lock", metav1.GetOptions{})
	fmt.Println("b:", err)
	// Output:
	// a: <nil>
	// b: Operation cannot be fulfilled on leases.coordination.k8s.io "lock": the object has been modified; please apply your changes to the latest version and try again
	// b: leases.coordination.k8s.io "lock" is forbidden: User "b" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "default"
}

// A real client of client-go, or of controller-runtime: an update is applied, and its answer lost.
func ExampleServer_ConfigFor() {
	var server fakekube.Server
	leases := kubernetes.NewForConfigOrDie(server.ConfigFor("a")).CoordinationV1().Leases("default")
	ctx := context.Background()
	lease, err := leases.Create(ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "lock"}}, metav1.CreateOptions{})
	fmt.Println("create:", err)

	server.Inject(fakekube.Fault{User: "a", Verb: "update", LoseResponse: true, Times: 1})
	brief, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	holder := "a"
	lease.Spec.HolderIdentity = &holder
	_, err = leases.Update(brief, lease, metav1.UpdateOptions{})
	fmt.Println("update:", errors.Is(err, context.DeadlineExceeded))
	read, _ := leases.Get(ctx, "lock", metav1.GetOptions{})
	fmt.Println("held by", *read.Spec.HolderIdentity)
	// Output:
	// create: <nil>
	// update: true
	// held by a
}
