package runtime_test

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
)

// withWebhook registers the webhook, as one does since controller-runtime v0.23.
func withWebhook(m ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(m, &Backup{}).WithDefaulter(defaulter{}).Complete()
}

// Default changes nothing.
func (defaulter) Default(context.Context, *Backup) error { return nil }
