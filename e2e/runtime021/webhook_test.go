package runtime_test

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
)

// withWebhook registers the webhook, as one did before controller-runtime v0.23.
func withWebhook(m ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(m).For(&Backup{}).WithDefaulter(defaulter{}).Complete()
}

// Default changes nothing.
func (defaulter) Default(context.Context, runtime.Object) error { return nil }
