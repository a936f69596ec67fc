package kubelock_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/internal/mutants"
)

// The files of kubelock that the bugs below are planted in.
const (
	objectFile = "elector/kubelock/object.go"
	recordFile = "elector/kubelock/record.go"
	pairFile   = "elector/kubelock/pair.go"
)

// What several bugs change.
const (
	updated = "	if err != nil {\n		return err\n	}\n	l.held, l.version = updated, metaOf(updated).ResourceVersion\n"
	joined  = `return record, bytes.Join([][]byte{raw, secondRaw}, []byte(",")), nil`
	unknown = "	if record.HolderIdentity != second.HolderIdentity {\n		record.HolderIdentity = unknownLeader\n" +
		"		if raw, err = encode(record); err != nil {\n			return nil, nil, err\n		}\n	}\n"
	notFound = "	if !found {\n		return record, []byte{}, nil\n	}\n"
	created  = "	if _, _, err := p.secondary.Get(ctx); apierrors.IsNotFound(err) {\n		write = p.secondary.Create\n	}\n"
)

func planted(name, file string, form mutants.Form, old, new string) mutants.Mutant {
	return mutants.Mutant{Name: name, Edits: []mutants.Edit{{File: file, Form: form, Old: old, New: new}}}
}

// bugs are changes of kubelock in one place each.
var bugs = []mutants.Mutant{
	planted("a failed Get keeps the object", objectFile, mutants.Statements,
		"	if l.held, err = l.client.Get(ctx, l.name, metav1.GetOptions{}); err != nil {\n		return nil, nil, err\n	}\n",
		"	held, err := l.client.Get(ctx, l.name, metav1.GetOptions{})\n	if err != nil {\n		return nil, nil, err\n	}\n	l.held = held\n"),
	planted("a failed Update loses the object", objectFile, mutants.Statements, updated,
		"	l.held = updated\n"+updated),
	planted("a successful Update keeps the old object", objectFile, mutants.Statements, updated,
		"	if err != nil {\n		return err\n	}\n	l.version = metaOf(updated).ResourceVersion\n"),
	planted("an event about the name alone", objectFile, mutants.Condition, "!l.isUnknown()", "l.isUnknown()"),
	planted("what is no record is free", recordFile, mutants.Statements, notFound,
		notFound+"	if len(value) <= shown {\n		_ = json.Unmarshal([]byte(value), record)\n		return record, []byte(value), nil\n	}\n"),
	planted("annotations of others are dropped", recordFile, mutants.Condition, "meta.Annotations == nil", "true"),
	planted("an empty strategy is written", recordFile, mutants.Statements, "	return json.Marshal(text(*record))\n",
		"	raw, err := json.Marshal(text(*record))\n	if record.Strategy == \"\" {\n"+
			"		raw = append(raw[:len(raw)-1], `,\"strategy\":\"\"}`...)\n	}\n	return raw, err\n"),
	planted("a raw record without the second", pairFile, mutants.Statements, joined,
		`return record, bytes.Join([][]byte{raw, nil}, []byte(",")), nil`),
	planted("a raw record in the other order", pairFile, mutants.Statements, joined,
		`return record, bytes.Join([][]byte{secondRaw, raw}, []byte(",")), nil`),
	planted("a holder unknown in the record alone", pairFile, mutants.Statements, unknown,
		"	if record.HolderIdentity != second.HolderIdentity {\n		record.HolderIdentity = unknownLeader\n	}\n"),
	planted("the secondary's holder counts", pairFile, mutants.Statements, unknown,
		"	if record.HolderIdentity != second.HolderIdentity {\n		record.HolderIdentity = second.HolderIdentity\n"+
			"		if raw, err = encode(record); err != nil {\n			return nil, nil, err\n		}\n	}\n"),
	planted("a missing secondary is anybody's", pairFile, mutants.Condition,
		"apierrors.IsNotFound(err) && record.HolderIdentity != p.Identity()", "apierrors.IsNotFound(err)"),
	planted("an existing primary fails Create", pairFile, mutants.Condition,
		"err != nil && !apierrors.IsAlreadyExists(err)", "err != nil"),
	planted("the secondary is not read before it is written", pairFile, mutants.Statements, created, ""),
	planted("a secondary that cannot be read is not written", pairFile, mutants.Statements, created,
		"	if _, _, err := p.secondary.Get(ctx); apierrors.IsNotFound(err) {\n		write = p.secondary.Create\n"+
			"	} else if err != nil {\n		return err\n	}\n"),
	planted("an event of the primary alone", pairFile, mutants.Statements,
		"	return func() { first(); second() }\n", "	return func() { first(); _ = second }\n"),
}

// TestCanFail builds kubelock with all bugs in it, each behind a switch, switches on one at a time, and wants it noticed.
func TestCanFail(t *testing.T) {
	program := build(t, "-overlay", overlay(t))
	require.Empty(t, compare(t, program, 1, 300), "no bug is switched on")
	for _, bug := range bugs {
		t.Run(bug.Name, func(t *testing.T) {
			require.NotEmpty(t, compare(t, program, 1, 300, "-transcripts.planted", bug.Name), "not noticed")
		})
	}
}

// overlay returns the path of a build overlay in which kubelock has the bugs.
func overlay(t *testing.T) string {
	dir, replace := t.TempDir(), map[string]string{}
	for _, file := range mutants.Files(bugs) {
		path, err := filepath.Abs(filepath.Join(top, file))
		require.NoError(t, err)
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		patched, err := mutants.Patch(bugs, file, string(source))
		require.NoError(t, err)
		replace[path] = filepath.Join(dir, filepath.Base(file))
		require.NoError(t, os.WriteFile(replace[path], []byte(patched), 0o644))
	}
	content, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	path := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(path, content, 0o644))
	return path
}
