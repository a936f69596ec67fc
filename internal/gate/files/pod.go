package files

// The types of Kubernetes' core/v1, with those fields alone that are read here. That package itself takes a tenth of the time
// in which this whole module compiles, since it has all types of the API.

// podContainer is a container of a pod.
type podContainer struct {
	Image        string            `json:"image"`
	Command      []string          `json:"command"`
	Args         []string          `json:"args"`
	Env          []variable        `json:"env"`
	EnvFrom      []variablesSource `json:"envFrom"`
	VolumeMounts []struct {
		Name      string `json:"name"`
		MountPath string `json:"mountPath"`
	} `json:"volumeMounts"`
}

// variable is an environment variable. ValueFrom is nil if Value is its value.
type variable struct {
	Name      string         `json:"name"`
	Value     string         `json:"value"`
	ValueFrom *variableValue `json:"valueFrom"`
}

// variableValue says where a variable has its value from; ConfigMapKeyRef is nil if it is not a ConfigMap.
type variableValue struct {
	ConfigMapKeyRef *struct {
		reference
		Key      string `json:"key"`
		Optional bool   `json:"optional"`
	} `json:"configMapKeyRef"`
}

// variablesSource is an object of which each key becomes an environment variable.
type variablesSource struct {
	Prefix       string     `json:"prefix"`
	ConfigMapRef *reference `json:"configMapRef"`
	SecretRef    *reference `json:"secretRef"`
}

// reference names an object in the pod's namespace.
type reference struct {
	Name string `json:"name"`
}

// podSpec has a pod's volumes.
type podSpec struct {
	Volumes []struct {
		Name      string     `json:"name"`
		ConfigMap *reference `json:"configMap"`
		Projected *struct {
			Sources []struct {
				ConfigMap *reference `json:"configMap"`
			} `json:"sources"`
		} `json:"projected"`
	} `json:"volumes"`
}
