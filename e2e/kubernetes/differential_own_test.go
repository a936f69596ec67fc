package kubernetes_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"interregnum/internal/electorproc"
	"interregnum/simlock/fakekube"
)

// backup is a program's own kind.
type backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Replicas int32 `json:"replicas,omitempty"`
	} `json:"spec,omitzero"`
	Status struct {
		Phase string `json:"phase,omitempty"`
	} `json:"status,omitzero"`
}

type backupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []backup `json:"items"`
}

func (b *backup) DeepCopyObject() runtime.Object     { return copiedTo(b, new(backup)) }
func (l *backupList) DeepCopyObject() runtime.Object { return copiedTo(l, new(backupList)) }

// copiedTo makes to a copy of obj.
func copiedTo(obj, to runtime.Object) runtime.Object {
	text, err := json.Marshal(obj)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		panic(err) // it was JSON
	}
	return to
}

const backupDefinition = `{"metadata":{"name":"backups.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
"names":{"plural":"backups","singular":"backup","kind":"Backup","listKind":"BackupList"},
"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{
"spec":{"type":"object","properties":{"replicas":{"type":"integer","format":"int32"}}},
"status":{"type":"object","properties":{"phase":{"type":"string"}}}}}}}]}}`

// defineBackups has the real server serve Backups.
func defineBackups(t *testing.T, real *side) {
	made := real.send(t, call{method: http.MethodPost, path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
		contentType: "application/json", agent: "one", body: backupDefinition})
	require.Equal(t, http.StatusCreated, made.code, "%s", made.text)
	electorproc.Eventually(t, "the server serves Backups", func() bool {
		return real.send(t, call{method: http.MethodGet, path: "/apis/example.com/v1/backups", agent: "one"}).code == http.StatusOK
	})
}

// serveBackups has fakekube serve Backups.
func serveBackups(t *testing.T, server *fakekube.Server) {
	types, version := runtime.NewScheme(), schema.GroupVersion{Group: "example.com", Version: "v1"}
	types.AddKnownTypeWithName(version.WithKind("Backup"), &backup{})
	types.AddKnownTypeWithName(version.WithKind("BackupList"), &backupList{})
	require.NoError(t, server.Serve(types, fakekube.Resource{Object: &backup{}}))
}
