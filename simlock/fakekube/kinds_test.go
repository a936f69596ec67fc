package fakekube_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"interregnum/simlock/fakekube"
)

// TestDifferentialKinds of e2e/kubernetes compares these rules, and others, with a real server.

// TestStringData: what a program writes into stringData, it reads in data.
func TestStringData(t *testing.T) {
	both(t, func(t *testing.T, server *fakekube.Server, client kubernetes.Interface) {
		ctx, secrets := context.Background(), client.CoreV1().Secrets("default")
		s, err := secrets.Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s"},
			StringData: map[string]string{"a": "b"}}, metav1.CreateOptions{})
		require.NoError(t, err)
		assert.Equal(t, map[string][]byte{"a": []byte("b")}, s.Data)
		assert.Empty(t, s.StringData)
		for _, patchType := range []types.PatchType{types.MergePatchType, types.StrategicMergePatchType} {
			s, err = secrets.Patch(ctx, "s", patchType, []byte(`{"stringData":{"a":"`+string(patchType)+`"}}`), metav1.PatchOptions{})
			require.NoError(t, err)
			assert.Equal(t, map[string][]byte{"a": []byte(patchType)}, s.Data)
			assert.Empty(t, s.StringData)
		}
		_ = server
	})
}
