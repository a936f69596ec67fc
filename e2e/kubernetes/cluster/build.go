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

// programs returns where etcd and kube-apiserver are, and builds those that are not there.
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

// modules is the folder of the module that Kubernetes is built in; etcd's is below it. It is beside this package.
func modules() (string, error) {
	file, err := goCommand(".", "env", "GOMOD")
	return filepath.Join(filepath.Dir(file), "servers"), err
}

// kubernetesProgram returns where a program of Kubernetes is, and builds it if it is not there.
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

// versionFlags makes the linker write the version into a program of Kubernetes; kube-apiserver does not start without.
func versionFlags(version string) string {
	numbers := strings.Split(strings.TrimPrefix(version, "v"), ".")
	const name = " -X k8s.io/component-base/version.git"
	return name + "Version=" + version + name + "Major=" + numbers[0] + name + "Minor=" + numbers[1]
}

// program builds a package of the module in dir, unless there is one in the cache that was built from the same
// sources with the same Go and flags. It builds beside its place and renames, so that two builds at once are no harm.
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

// cacheKey is a hash of all that a program is built from.
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

// goCommand runs go in a folder, and returns what it printed.
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
