package kubelock

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// FuzzAnnotation: whatever somebody has written into the annotation is a record, or an error of one line that names it. A
// record that is written reads back, and is written the same again.
func FuzzAnnotation(f *testing.F) {
	for _, seed := range []string{
		`{"holderIdentity":"a","leaseDurationSeconds":15,"acquireTime":"2026-01-01T00:00:00Z","renewTime":null,"leaderTransitions":3}`,
		`{"leaseDurationSeconds":9223372036854775807,"renewTime":"9999-12-31T23:59:59Z","leaderTransitions":-1,"strategy":"x"}`,
		`{"leaseDurationSeconds":"15"}`, `{"renewTime":"yesterday"}`, `{"renewTime":5}`, "", "null", "{", `{"holderIdentity":"\u001b]0;x"}`,
		strings.Repeat("[", 20000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		meta := &metav1.ObjectMeta{Annotations: map[string]string{resourcelock.LeaderElectionRecordAnnotationKey: value}}
		record, raw, err := readAnnotation(meta)
		if err != nil {
			require.Regexp(t, `^annotation control-plane\.alpha\.kubernetes\.io/leader: .+$`, err.Error())
			require.NotRegexp(t, `Go struct|unmarshal`, err.Error())
			require.Less(t, len(err.Error()), 1500)
			return
		}
		require.Equal(t, value, string(raw))
		if writeAnnotation(meta, record) != nil {
			return // a year beyond 9999, by its time zone
		}
		written := meta.Annotations[resourcelock.LeaderElectionRecordAnnotationKey]
		again, _, err := readAnnotation(meta)
		require.NoError(t, err, written)
		require.NoError(t, writeAnnotation(meta, again))
		require.Equal(t, written, meta.Annotations[resourcelock.LeaderElectionRecordAnnotationKey])
	})
}
