package cluster

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// programs returns the paths of etcd and kube-apiserver. It builds those that are not in the cache.
func programs() (etcd, apiserver string, err error) {
	modules, err := modules()
	if err != nil {
		return "", "", err
	}
	if etcd, err = program(filepath.Join(modules, "etcd"), "go.etcd.io/etcd/server/v3", ""); err != nil {
		return "", "", err
	}
	apiserver, err = kubernetesProgram("kube-apiserver")
	return etcd, apiserver, err
}

// modules returns the folder servers beside the go.mod of the current folder's module: in servers Kubernetes is built. The module
// for etcd is below it.
func modules() (string, error) {
	file, err := goCommand(".", "env", "GOMOD")
	return filepath.Join(filepath.Dir(file), "servers"), err
}

// kubernetesProgram returns the path of a program of Kubernetes. It builds the program if it is not in the cache.
func kubernetesProgram(name string) (string, error) {
	modules, err := modules()
	if err != nil {
		return "", err
	}
	version, err := goCommand(modules, "list", "-m", "-f", "{{.Version}}", "k8s.io/kubernetes")
	if err != nil {
		return "", err
	}
	return program(modules, "k8s.io/kubernetes/cmd/"+name, versionFlags(version))
}

// versionFlags returns linker flags that write the version into a program of Kubernetes; kube-apiserver does not start without
// them.
func versionFlags(version string) string {
	numbers := strings.Split(strings.TrimPrefix(version, "v"), ".")
	const name = " -X k8s.io/component-base/version.git"
	return name + "Version=" + version + name + "Major=" + numbers[0] + name + "Minor=" + numbers[1]
}

// program returns the path of the program pkg. It builds it from the module in dir, with linkerFlags, unless the cache has one
// that was built from the same sources with the same Go and flags. It builds in another folder and then renames, so that two
// builds at once do no harm.
func program(dir, pkg, linkerFlags string) (string, error) {
	flags := []string{"build", "-trimpath", "-ldflags=-s -w" + linkerFlags}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	key, err := cacheKey(dir, append(flags, pkg))
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "interregnum", "servers", key)
	place := filepath.Join(folder, executable(pkg))
	if _, err := os.Stat(place); err == nil {
		return place, nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	temporary, err := os.MkdirTemp(folder, "build")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temporary)
	fmt.Fprintf(os.Stderr, "building %s into %s: minutes, the first time\n", pkg, place)
	built := filepath.Join(temporary, "program")
	if _, err := goCommand(dir, append(flags, "-o", built, pkg)...); err != nil {
		return "", err
	}
	return place, os.Rename(built, place)
}

// cacheKey returns a hash of what a program is built from: go.mod and go.sum of the module in dir, the version of Go, its
// environment and the flags.
func cacheKey(dir string, flags []string) (string, error) {
	hash := sha256.New()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		hash.Write(text)
	}
	version, err := goCommand(dir, "env", "GOVERSION", "GOOS", "GOARCH", "GOFLAGS")
	if err != nil {
		return "", err
	}
	fmt.Fprintln(hash, version, flags)
	return fmt.Sprintf("%x", hash.Sum(nil)[:10]), nil
}

// executable returns the file name of the program that pkg builds.
func executable(pkg string) string {
	name := path.Base(pkg)
	if strings.Contains(pkg, "etcd") {
		name = "etcd"
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// goCommand runs go with args in the folder dir, and returns what it printed to standard output, without spaces around it. The
// error contains what it printed to standard error.
func goCommand(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	var talk bytes.Buffer
	cmd.Stderr = &talk
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s in %s: %w\n%s", strings.Join(args, " "), dir, err, talk.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}
