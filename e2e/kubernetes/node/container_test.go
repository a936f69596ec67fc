//go:build linux

package node

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestExpand(t *testing.T) {
	values := map[string]string{"A": "1", "B": "$(A)", "": "empty"}
	for text, want := range map[string]string{
		"": "", "$(A)/$(B)": "1/$(A)", "$(C)": "$(C)", "$$(A)": "$(A)", "$$$(A)": "$1", "$A": "$A", "$": "$", "$(A": "$(A",
		"a$(A)b$": "a1b$", "$()": "empty", "$(C)$(A)": "$(C)1", "$(C$(A)": "$(C$(A)",
	} {
		assert.Equal(t, want, expand(text, values), text)
	}
}

func TestEnviron(t *testing.T) {
	from := func(path string) *corev1.EnvVarSource {
		return &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: path}}
	}
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: "p", Labels: map[string]string{"l": "label"}, Annotations: map[string]string{"a.b/c": "annotation"},
	}}
	p.Spec.Containers = []corev1.Container{{Env: []corev1.EnvVar{
		{Name: "L", ValueFrom: from("metadata.labels['l']")}, {Name: "A", ValueFrom: from("metadata.annotations['a.b/c']")},
		{Name: "BOTH", Value: "$(L) $(A) $(LATER)"}, {Name: "LATER", Value: "x"},
	}}}
	list, values, err := environ(p)
	require.NoError(t, err)
	assert.Equal(t, []string{"HOSTNAME=p", "L=label", "A=annotation", "BOTH=label annotation $(LATER)", "LATER=x"}, list)
	assert.Equal(t, map[string]string{"L": "label", "A": "annotation", "BOTH": "label annotation $(LATER)", "LATER": "x"}, values)
	p.Spec.Containers[0].Env[0].ValueFrom = from("status.podIP")
	_, _, err = environ(p)
	require.ErrorContains(t, err, "expected a label or an annotation")
}
