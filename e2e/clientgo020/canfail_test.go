package kubelock_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCanFail changes kubelock in one place at a time, and wants each change noticed.
func TestCanFail(t *testing.T) {
	for _, change := range []struct{ name, file, old, new string }{
		{"a failed Get keeps the object", "object.go",
			"	var err error\n	if l.held, err = l.client.Get(ctx, l.name, metav1.GetOptions{}); err != nil {\n		return nil, nil, err\n	}\n",
			"	held, err := l.client.Get(ctx, l.name, metav1.GetOptions{})\n	if err != nil {\n		return nil, nil, err\n	}\n	l.held = held\n"},
		{"a failed Update loses the object", "object.go",
			"	updated, err := l.client.Update(ctx, l.held, metav1.UpdateOptions{})\n	if err != nil {\n",
			"	updated, err := l.client.Update(ctx, l.held, metav1.UpdateOptions{})\n	if err != nil {\n		l.held = updated\n"},
		{"a successful Update keeps the old object", "object.go", "l.held, l.version = updated, ", "l.version = "},
		{"what is no record is free", "record.go",
			"record); err != nil {",
			"record); err != nil && len(value) > shown {"},
		{"annotations of others are dropped", "record.go", "if meta.Annotations == nil {", "if true {"},
		{"an empty strategy is written", "record.go", `"strategy,omitempty"`, `"strategy"`},
		{"a raw record without the second", "pair.go",
			"bytes.Join([][]byte{raw, secondRaw}, []byte(\",\"))",
			"bytes.Join([][]byte{raw, secondRaw[:0]}, nil)"},
		{"a raw record in the other order", "pair.go", "{raw, secondRaw}", "{secondRaw, raw}"},
		{"a holder unknown in the record alone", "pair.go",
			"if raw, err = encode(record); err != nil {",
			"if _, err = encode(record); err != nil {"},
		{"the secondary's holder counts", "pair.go",
			"record.HolderIdentity = unknownLeader",
			"record.HolderIdentity = second.HolderIdentity"},
		{"a missing secondary is anybody's", "pair.go",
			"apierrors.IsNotFound(err) && record.HolderIdentity != p.Identity()",
			"apierrors.IsNotFound(err)"},
		{"an existing primary fails Create", "pair.go",
			"err != nil && !apierrors.IsAlreadyExists(err) {", "err != nil {"},
		{"the secondary is not read before it is written", "pair.go",
			"p.secondary.Get(ctx); apierrors.IsNotFound(err)",
			"error(nil), 0, error(nil); apierrors.IsNotFound(err)"},
		{"a secondary that cannot be read is not written", "pair.go",
			"		write = p.secondary.Create\n	}",
			"		write = p.secondary.Create\n	} else if err != nil {\n		return err\n	}"},
		{"an event of the primary alone", "pair.go", "{ first(); second() }", "{ first(); _ = second }"},
		{"an event about the name alone", "object.go",
			"if !l.isUnknown() {\n		meta =",
			"if l.isUnknown() {\n		meta ="},
	} {
		t.Run(change.name, func(t *testing.T) {
			overlay := plant(t, change.file, change.old, change.new)
			require.NotEmpty(t, compare(t, 1, 300, "-ldflags=-s -w", "-vet=off", "-overlay", overlay), "not noticed")
		})
	}
}

// plant returns a build overlay in which a file of kubelock is changed.
func plant(t *testing.T, file, before, after string) string {
	path, err := filepath.Abs(filepath.Join("../../elector/kubelock", file))
	require.NoError(t, err)
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(source), before), "%s has %q", file, before)
	changed := filepath.Join(t.TempDir(), file)
	require.NoError(t, os.WriteFile(changed, []byte(strings.Replace(string(source), before, after, 1)), 0o644))
	content, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	require.NoError(t, err)
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(overlay, content, 0o644))
	return overlay
}
