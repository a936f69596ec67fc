package coordinator

import (
	"os"
	"testing"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	// One of the handlers sleeps until a time that it has kept from another bubble.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	if os.Getenv("COORDINATOR_LOG") == "" {
		klog.SetLogger(logr.Discard())
	}
	os.Exit(m.Run())
}
