package fakekube

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// deprecation returns the warning that comes with every answer about a deprecated kind, "" for any other kind. Which
// kinds are deprecated depends on the version of k8s.io/api in this build.
func (k *kind) deprecation() string {
	obj, err := k.new()
	if err != nil {
		return ""
	}
	since, ok := obj.(interface{ APILifecycleDeprecated() (major, minor int) })
	if !ok {
		return ""
	}
	major, minor := since.APILifecycleDeprecated()
	text := fmt.Sprintf("%s %s is deprecated in v%d.%d+", k.GroupVersion(), k.Kind, major, minor)
	if gone, ok := obj.(interface{ APILifecycleRemoved() (major, minor int) }); ok {
		if major, minor := gone.APILifecycleRemoved(); major != 0 || minor != 0 {
			text += fmt.Sprintf(", unavailable in v%d.%d+", major, minor)
		}
	}
	if by, ok := obj.(interface {
		APILifecycleReplacement() schema.GroupVersionKind
	}); ok {
		if other := by.APILifecycleReplacement(); !other.Empty() {
			text += fmt.Sprintf("; use %s %s", other.GroupVersion(), other.Kind)
		}
	}
	return text
}
