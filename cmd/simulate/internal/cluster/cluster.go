// Package cluster finds the API server that flags or a kubeconfig name.
package cluster

import (
	"errors"
	"fmt"
	"regexp"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"interregnum/cmd/simulate/internal/input"
)

// Config returns the client configuration for an API server, and a namespace. In a cluster these are that cluster's, and
// "default". Otherwise they are those of a context in a kubeconfig; either name can be "", as for kubectl. It returns an error
// for a kubeconfig that lets anybody answer for the server (insecure-skip-tls-verify).
func Config(kubeconfig, context string, inCluster bool) (*rest.Config, string, error) {
	if inCluster {
		config, err := rest.InClusterConfig()
		return config, "default", err
	}
	if kubeconfig != "" {
		file, err := input.Open(kubeconfig, "a kubeconfig")
		if err != nil {
			return nil, "", fmt.Errorf("--kubeconfig %w", err)
		}
		file.Close()
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	loading := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: context})
	config, err := loading.ClientConfig()
	if err != nil {
		return nil, "", err
	}
	if config.Insecure {
		return nil, "", errors.New("the kubeconfig has insecure-skip-tls-verify: anybody could answer for the API server; " +
			"want certificate-authority")
	}
	namespace, _, err := loading.Namespace()
	return config, namespace, err
}

// userInfo matches the user and password before the host in an address. They end with the last @ of the word.
var userInfo = regexp.MustCompile(`//[^\s"']*@`)

// WithoutPassword returns a text without the users and passwords in its addresses.
func WithoutPassword(text string) string { return userInfo.ReplaceAllString(text, "//") }
