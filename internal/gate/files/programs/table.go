package programs

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// common are the defaults of component-base, of controller-runtime and of nearly everything else.
var common = seconds(15, 10, 2)

// seconds returns timings of that many seconds each. Its parameters are plain numbers, not durations.
func seconds(lease, renew, retry time.Duration) machine.Timings {
	return machine.Timings{LeaseDuration: lease * time.Second, RenewDeadline: renew * time.Second, RetryPeriod: retry * time.Second}
}

// quartered are timings of which the lease is twice the deadline, and four times the retry period, which is not a whole number of seconds.
var quartered = machine.Timings{LeaseDuration: 30 * time.Second, RenewDeadline: 15 * time.Second, RetryPeriod: 7500 * time.Millisecond}

// fabric8 is the profile of fabric8's client for Java, and fabric8Timeout its request timeout where nobody sets it
// (fabric8io/kubernetes-client Config.java, DEFAULT_REQUEST_TIMEOUT).
const (
	fabric8        = "fabric8"
	fabric8Timeout = 10 * time.Second
)

// OwnClient is the kind of client of Kubernetes' components, each of which has numbers of its own. fromKubeconfig is where client-go
// makes it a client of its own for leader election, and so a limiter of its own.
const (
	OwnClient      = "component-base"
	fromKubeconfig = "k8s.io/client-go@v0.37.2 tools/leaderelection/resourcelock/interface.go:152"
)

// L2Lease is how the names of Leases begin that Cilium's agents have for each service that they announce.
const L2Lease = "cilium-l2announce"

// csiSource is the library with which all CSI sidecars elect.
const csiSource = "github.com/kubernetes-csi/csi-lib-utils@v0.25.0 leaderelection/leader_election.go:41-45,237-265"

var half, none = Timeout{Kind: Half}, Timeout{Kind: None}

// under returns each of the names with each of the folders before it, and a slash between them.
func under(folders []string, names ...string) (all []string) {
	for _, folder := range folders {
		for _, name := range names {
			all = append(all, folder+"/"+name)
		}
	}
	return all
}

// programs are what is known, the more special names first. Where no code could be read for the release, that is assumed,
// and said; for the timeout, it is not known.
var programs = []Program{
	{
		Name: "Strimzi", charts: []string{"strimzi-kafka-operator"}, names: []string{"strimzi/operator", "strimzi-cluster-operator"}, settings: []string{"strimzi"},
		Profile: fabric8, timings: common, Timeout: FixedTimeout(fabric8Timeout), Release: true,
		Source: "strimzi/strimzi-kafka-operator LeaderElectionManager.java, LeaderElectionManagerConfig.java",
	}, {
		Name: "Flink", names: []string{"apache/flink", "flink-kubernetes-operator"},
		settings: []string{"highavailabilitykubernetesleaderelection", "kubernetesoperatorleaderelection"},
		Profile:  fabric8, bareMillis: true, timings: seconds(15, 15, 5), Timeout: FixedTimeout(fabric8Timeout), Release: true,
		Source: "apache/flink KubernetesLeaderElector.java, KubernetesHighAvailabilityOptions.java",
	}, {
		Name: "the Java Operator SDK", settings: []string{"quarkus"},
		Profile: fabric8, timings: common, Timeout: FixedTimeout(fabric8Timeout), Release: true,
		Source: "operator-framework/java-operator-sdk LeaderElectionManager.java, LeaderElectionConfiguration.java",
	}, {
		Name: "kube-scheduler", names: []string{"kube-scheduler"},
		QPS: 50, Burst: 100, ClientSource: "k8s.io/kubernetes@v1.37.2 pkg/scheduler/apis/config/v1/defaults.go:150-155, " +
			"cmd/kube-scheduler/app/options/options.go:361, " + fromKubeconfig,
		kinds: []string{"KubeSchedulerConfiguration"}, Always: true, ConfigRules: true, coordinates: true,
		timings: common, Timeout: half, Release: true,
		earlier: kubernetes,
		Source:  "k8s.io/kubernetes@v1.34.0 cmd/kube-scheduler/app/options/options.go:354-375",
	}, {
		Name: "kube-controller-manager", names: []string{"kube-controller-manager"},
		QPS: 20, Burst: 30, ClientSource: "k8s.io/kubernetes@v1.37.2 pkg/controller/apis/config/v1alpha1/defaults.go:60-65, " +
			"cmd/kube-controller-manager/app/controllermanager.go:842, " + fromKubeconfig,
		kinds: []string{"KubeControllerManagerConfiguration", "KubeControllerManagerConfig"}, Always: true, coordinates: true,
		timings: common, Timeout: half, releaseGate: "ControllerManagerReleaseLeaderElectionLockOnExit",
		earlier: kubernetes,
		Source: "k8s.io/kubernetes@v1.37.2 cmd/kube-controller-manager/app/controllermanager.go:842-867, " +
			"k8s.io/component-base@v0.37.2 config/v1alpha1/defaults.go:37-45",
	}, {
		Name: "Alibaba's cloud-controller-manager", names: []string{"acs/cloud-controller-manager"},
		timings: common,
		Source:  "kubernetes/cloud-provider-alibaba-cloud cmd/manager/main.go",
	}, {
		Name: "cloud-controller-manager", names: []string{"cloud-controller-manager"}, Vendors: true,
		QPS: 20, Burst: 30, ClientSource: "k8s.io/cloud-provider@v0.37.2 config/v1alpha1/defaults.go:43-48, app/controllermanager.go:522, " +
			fromKubeconfig,
		kinds: []string{"CloudControllerManagerConfiguration"}, Always: true,
		timings: common, Timeout: half,
		earlier: kubernetes,
		Source:  "k8s.io/cloud-provider@v0.37.2 app/controllermanager.go:522-539",
	}, {
		Name:    "cert-manager's cainjector",
		names:   []string{"cert-manager-cainjector"},
		kinds:   []string{"CAInjectorConfiguration.cert-manager.io"},
		timings: seconds(60, 40, 15), Release: true, releaseIsAssumed: true,
		Source: "github.com/cert-manager/cert-manager@v1.21.2 internal/apis/config/shared/v1alpha1/defaults.go:30-32",
	}, {
		Name:  "cert-manager",
		names: []string{"cert-manager-controller"},
		kinds: []string{".cert-manager.io"}, charts: []string{"cert-manager"}, Always: true,
		timings: seconds(60, 40, 15), Timeout: none, Release: true, releaseIsAssumed: true,
		Source: "github.com/cert-manager/cert-manager@v1.21.2 internal/apis/config/shared/v1alpha1/defaults.go:30-32, " +
			"cmd/controller/app/controller.go",
	}, {
		Name: "descheduler", names: []string{"descheduler"},
		timings: seconds(137, 107, 26), Timeout: none, Release: true,
		Source: "sigs.k8s.io/descheduler@v0.36.0 cmd/descheduler/app/options/options.go:89-91, " +
			"pkg/descheduler/leaderelection.go:60-78, pkg/descheduler/client/client.go:65 (timeout), go.mod of v0.20.0, v0.27.1, v0.33.0 and v0.36.0 (client-go)",
		earlier: earlier{library: release{0, 20}},
	}, {
		Name: "a Flux controller",
		names: under([]string{"fluxcd", "flux-system"}, "source-controller", "kustomize-controller", "helm-controller", "notification-controller",
			"image-reflector-controller", "image-automation-controller", "source-watcher"),
		timings: seconds(35, 30, 5), Timeout: half, Release: true,
		earlier: withRuntime(release{1, 7}, release{1, 0}),
		Source:  "github.com/fluxcd/pkg/runtime@v0.122.0 leaderelection/leaderelection.go:86-93",
	}, {
		Name: "Crossplane", names: []string{"crossplane"}, ChartElects: true,
		timings: seconds(60, 50, 2), Timeout: half, Release: true, releaseVaries: true,
		earlier: earlier{timeoutSince: release{2, 1}, leaseSince: release{1, 6}, timings: common, timingsSince: release{1, 6}},
		Source: "crossplane/crossplane cmd/crossplane/core/core.go (v1.14.0:197-200; v1.6.0:94-96 no release; v1.5.0:78 15s/10s/2s, no release, " +
			"a lock that is not known)",
	}, {
		Name: "Crossplane's RBAC manager", names: []string{"crossplane-rbac-manager"},
		partOf: "Crossplane", argument: "rbac", field: "rbacmanager",
		timings: common, Timeout: half,
		earlier: withRuntime(release{2, 1}, release{1, 6}),
		Source:  "crossplane/crossplane cmd/crossplane/rbac/rbac.go (v1.6.0:91, v1.20.0:80)",
	}, {
		Name: "kube-vip", names: []string{"kube-vip"}, settings: []string{"vipleaseduration", "viprenewdeadline", "vipretryperiod"},
		timings: seconds(5, 3, 1), Timeout: FixedTimeout(10 * time.Second), Release: true, leases: true,
		Source: "kube-vip/kube-vip cmd/kube-vip.go, pkg/manager/manager_arp.go (ReleaseOnCancel), pkg/k8s/client.go@2136e69a8243 (timeout)",
	}, {
		Name: "the Elastic Agent", names: []string{"elastic-agent"}, settings: []string{"providerskubernetesleaderelection"},
		timings: common, Timeout: none, Release: true,
		Source: "elastic/elastic-agent kubernetesleaderelection/kubernetes_leaderelection.go, elastic/elastic-agent-autodiscover kubernetes/util.go (GetKubernetesClient)",
	}, {
		Name: "cloudbeat", names: []string{"cloudbeat"},
		timings: common, Timeout: none, Release: true,
		Source: "elastic/cloudbeat uniqueness/leaderelection.go, elastic/elastic-agent-autodiscover kubernetes/util.go (GetKubernetesClient)",
	}, {
		Name: "OpenShift's Machine Config Operator", names: []string{"machine-config-operator", "machine-config-controller"},
		timings: seconds(137, 107, 26), Timeout: none, Release: true,
		Source: "openshift/machine-config-operator cmd/common/helpers.go, internal/clients/builder.go",
	}, {
		Name: "OpenShift's Machine API", names: []string{"machine-api-operator"},
		timings: seconds(137, 107, 26), Newer: true, releaseIsAssumed: true,
		Source: "openshift/machine-api-operator cmd/machineset/main.go (GetLeaderElectionConfig; the flag sets the lease alone), " +
			"openshift/library-go pkg/config/leaderelection/leaderelection.go",
	}, {
		Name: "hcloud-fip-controller", names: []string{"hcloud-fip-controller"},
		timings: common, Timeout: none, Release: true,
		Source: "cbeneke/hcloud-fip-controller internal/app/fipcontroller/leaderelection.go, kubernetes.go",
	}, {
		Name: "cluster-autoscaler", names: []string{"cluster-autoscaler"}, Always: true,
		timings: common, Release: true,
		Source:  "kubernetes/autoscaler cluster-autoscaler/main.go (leaderelection.RunOrDie), README.md@000ac4aab4d0 (since 1.12 the releases of Kubernetes)",
		earlier: earlier{library: release{1, 12}},
	}, {
		Name:    "the Vertical Pod Autoscaler",
		names:   []string{"vpa-recommender", "vpa-updater", "vertical-pod-autoscaler"},
		timings: common, Release: true,
		Source: "k8s.io/autoscaler/vertical-pod-autoscaler@v1.8.1 pkg/recommender/main.go:80-129, pkg/updater/main.go:116-143",
	}, {
		Name: "kueue", names: []string{"kueue"},
		kinds:   []string{"Configuration.config.kueue.x-k8s.io"},
		timings: common, Timeout: half, Release: true,
		earlier: withRuntime(release{0, 14}, release{0, 10}),
		Source:  "sigs.k8s.io/kueue@v0.17.0 pkg/config/config.go:157-161, apis/config/v1beta1/defaults.go:40-43",
	}, {
		Name: "CloudNativePG", names: []string{"cloudnative-pg", "cnpg", "cnpg-controller-manager"}, WholeSeconds: true,
		timings: common, Timeout: half, Release: true,
		earlier: withRuntime(release{1, 26}, release{1, 25}),
		Source:  "cloudnative-pg/cloudnative-pg internal/cmd/manager/controller/controller.go (managerOptions), cmd.go (flags)",
	}, {
		Name:    "Cluster API's provider for OpenStack",
		names:   []string{"capi-openstack-controller", "cluster-api-provider-openstack", "capo-controller-manager", "capi-openstack"},
		timings: common, Timeout: half, Release: true, releaseIsAssumed: true,
		earlier: withRuntime(release{0, 14}, release{0, 12}),
		Source:  "kubernetes-sigs/cluster-api-provider-openstack main.go (InitFlags)",
	}, {
		Name:    "Cluster API's kubeadm control plane",
		names:   []string{"kubeadm-control-plane-controller"},
		timings: seconds(60, 40, 5), Timeout: half,
		earlier: withRuntime(release{1, 10}, release{1, 2}),
		Source:  "sigs.k8s.io/cluster-api@v1.14.2 controlplane/kubeadm/main.go:135-141",
	}, {
		Name:    "Cluster API",
		names:   []string{"cluster-api-controller", "kubeadm-bootstrap-controller"},
		timings: common, Timeout: half,
		earlier: withRuntime(release{1, 10}, release{1, 2}),
		Source:  "sigs.k8s.io/cluster-api@v1.14.2 core/main.go:174-180, bootstrap/kubeadm/main.go:108-114",
	}, {
		Name:    "vSphere's syncer",
		names:   []string{"vsphere-syncer", "vsphere-csi-syncer", "csi/syncer", "csi-vsphere/syncer"},
		timings: seconds(15, 10, 5), Release: true,
		Source: "kubernetes-sigs/vsphere-csi-driver cmd/syncer/main.go (flags, ReleaseOnCancel)",
	}, {
		Name: "vSphere's cloud provider", names: []string{"cloud-provider-vsphere", "vsphere-cloud-controller-manager"}, Always: true,
		timings: common, Release: true, releaseIsAssumed: true,
		Source: "k8s.io/component-base@v0.37.2 config/v1alpha1/defaults.go:37-45",
	}, {
		Name: "CSI's provisioner", names: []string{"csi-provisioner", "kubernetes-csi/external-provisioner"},
		timings: seconds(15, 10, 5), Timeout: none, releaseGate: "ReleaseLeaderElectionOnExit",
		earlier: earlier{locks: []lockBefore{{release{2, 0}, plan.Endpoints}}},
		Source:  csiSource + ", external-provisioner CHANGELOG-1.1.md, CHANGELOG-2.0.md (lock)",
	}, {
		Name: "CSI's attacher", names: []string{"csi-attacher", "external-attacher"},
		timings: seconds(15, 10, 5), Timeout: none, releaseGate: "ReleaseLeaderElectionOnExit",
		earlier: earlier{locks: []lockBefore{{release{2, 0}, plan.ConfigMap}}},
		Source:  csiSource + ", external-attacher CHANGELOG-1.1.md, CHANGELOG-2.0.md (lock)",
	}, {
		Name: "a CSI sidecar",
		names: []string{
			"csi-resizer", "csi-snapshotter", "sig-storage/snapshot-controller", "kube-system/snapshot-controller", "volume-snapshot-controller",
			"csi-external-health-monitor-controller", "external-health-monitor-controller", "external-resizer", "external-snapshotter",
		},
		leases:  true,
		timings: seconds(15, 10, 5), Timeout: none, releaseGate: "ReleaseLeaderElectionOnExit",
		Source: csiSource,
	}, {
		Name: "a CSI sidecar of Ceph", kinds: []string{"OperatorConfig.csi.ceph.io", "Driver.csi.ceph.io"}, WholeSeconds: true,
		timings: seconds(137, 107, 26), Timeout: none, releaseIsAssumed: true,
		Source: "ceph/ceph-csi-operator api/v1/driver_types.go (LeaderElectionSpec)",
	}, {
		Name: "ingress-nginx", charts: []string{"ingress-nginx"}, names: []string{"ingress-nginx/controller", "ingress-nginx-controller", "nginx-ingress-controller"},
		Elects:   []string{"ingress-nginx/controller", "ingress-nginx/controller-chroot"},
		timings:  quartered,
		perRetry: timesRetry{4, 2}, Timeout: none,
		Source: "k8s.io/ingress-nginx@v0.0.0-20240708192948-52c50467d67d internal/ingress/controller/status.go:111-115, " +
			"pkg/flags/flags.go:135,152, cmd/nginx/main.go@034c3ccad413 (timeout)",
	}, {
		Name: "NGINX's Ingress Controller", names: []string{"nginx/nginx-ingress", "nginx/nginx-plus-ingress", "nginxinc/kubernetes-ingress"},
		Elects:  []string{"nginx/nginx-ingress"},
		timings: quartered, Fixed: true,
		Timeout: none, Release: true, releaseVaries: true,
		earlier: earlier{leaseSince: release{3, 0}},
		Source:  "nginx/kubernetes-ingress internal/k8s/leader.go@1210345ad011 (release; not at 4153266259e7), cmd/nginx-ingress/main.go@01764900b202, flags.go",
	}, {
		Name: "the Datadog operator", names: []string{"datadoghq/operator", "datadog/operator", "datadog-operator"},
		Elects:  []string{"datadoghq/operator", "datadog/operator"},
		timings: seconds(60, 30, 15), ofLease: true, Timeout: half,
		Source: "DataDog/datadog-operator cmd/main.go@a13175e8e4e4",
	}, {
		Name: "Datadog's agent", names: under([]string{"datadog", "datadoghq"}, "agent", "cluster-agent"),
		settings: []string{"ddleaderelection", "ddleaderleaseduration"},
		timings:  seconds(60, 30, 15), ofLease: true, Timeout: FixedTimeout(10 * time.Second), Release: true, releaseVaries: true,
		Source: "DataDog/datadog-agent pkg/util/kubernetes/apiserver/leaderelection/leaderelection_engine.go@050b0dff248c " +
			"(release by leader_election_release_on_shutdown, whose default is true), leaderelection.go@0288d70c1e25, " +
			"pkg/util/kubernetes/apiserver/apiserver.go@862fc222ea0e (timeout)",
	}, {
		Name: "Package Operator", names: []string{"package-operator-manager"},
		timings: seconds(137, 107, 26), Newer: true, Timeout: half, Release: true, releaseVaries: true,
		Source: "package-operator/package-operator cmd/package-operator-manager/components/components.go (at 051c0568e3ee 15s/10s/2s, no release)",
	}, {
		Name: "Reloader", names: []string{"stakater/reloader"}, charts: []string{"reloader"}, Enables: "enable-ha",
		timings: common, Release: true,
		Source: "stakater/Reloader internal/pkg/leadership/leadership.go@11ae057b0a80",
	}, {
		Name: "NVIDIA's operators", names: []string{"nvidia/gpu-operator", "cloud-native/gpu-operator", "cloud-native/network-operator", "nvidia/network-operator"},
		timings: common, afterRenew: 5 * time.Second,
		Source: "NVIDIA/gpu-operator cmd/gpu-operator/main.go (--leader-lease-renew-deadline)",
	}, {
		Name: "Kyverno", names: []string{"kyverno", "kyverno/background-controller", "kyverno/cleanup-controller", "kyverno/reports-controller"},
		Elects:  []string{"kyverno/kyverno", "kyverno/background-controller", "kyverno/cleanup-controller", "kyverno/reports-controller"},
		timings: seconds(12, 10, 2), perRetry: timesRetry{6, 5}, Timeout: none,
		Source: "github.com/kyverno/kyverno@v1.19.1 pkg/leaderelection/leaderelection.go:15,75-78, cmd/kyverno/main.go:619,961, cmd/internal/setup.go:90 (timeout)",
	}, {
		Name: "Cilium's operator", names: []string{"cilium-operator", "cilium/operator", "cilium/operator-generic", "cilium-config"},
		Elects:  []string{"cilium/operator", "cilium/operator-generic", "cilium/operator-aws", "cilium/operator-azure", "cilium/operator-alibabacloud"},
		timings: common, Timeout: half, Release: true,
		Source: "github.com/cilium/cilium@v1.20.2 operator/cmd/leader_election.go:20-22, operator/cmd/root.go:570-606",
	}, {
		Name: "Cilium's L2 announcements", names: []string{L2Lease}, settings: []string{"l2announcements"}, Besides: true,
		timings: seconds(15, 5, 2), Release: true, leases: true,
		Source: "github.com/cilium/cilium@v1.20.2 pkg/l2announcer/l2announcer.go:802-804,1234-1241",
	}, {
		Name: "Contour", names: []string{"projectcontour/contour", "bitnami/contour"}, charts: []string{"contour"},
		Elects: []string{"projectcontour/contour"}, command: "serve",
		timings: common, Timeout: half, Release: true,
		earlier: withRuntime(release{1, 31}, release{1, 30}),
		Source:  "github.com/projectcontour/contour@v1.33.8 cmd/contour/serve.go:139,165-169,314-317",
	}, {
		Name: "Argo Rollouts", names: []string{"argo-rollouts"},
		Elects:  []string{"argoproj/argo-rollouts"},
		timings: common,
		Source:  "github.com/argoproj/argo-rollouts@v1.10.2 controller/controller.go:87-97,548-552",
	}, {
		Name: "KEDA", names: []string{"kedacore/keda", "keda-operator"}, charts: []string{"keda"}, settings: []string{"kedaoperatorleaderelection"},
		timings: common, Timeout: half,
		earlier: earlier{
			timeoutSince: release{2, 18}, leaseSince: release{2, 10}, locks: []lockBefore{{release{2, 8}, plan.ConfigMapsLeases}},
		},
		Source: "github.com/kedacore/keda/v2@v2.21.0 cmd/operator/main.go:195-229",
	}, {
		Name: "Elastic's operator", names: []string{"eck-operator", "elastic-operator"},
		Elects: []string{"eck/eck-operator"}, command: "manager",
		timings: common, Timeout: half,
		earlier: withRuntime(release{3, 2}, release{2, 16}),
		Source:  "github.com/elastic/cloud-on-k8s/v3@v3.5.0 cmd/manager/main.go:239-243,585-588",
	}, {
		Name: "Karpenter", names: []string{"karpenter", "karpenter/controller"}, charts: []string{"karpenter"},
		Elects:  []string{"karpenter/controller"},
		timings: common, Timeout: half, Release: true,
		earlier: withRuntime(release{1, 2}, release{1, 1}),
		Source:  "sigs.k8s.io/karpenter@v1.15.0 pkg/operator/operator.go:189-194, pkg/operator/options/options.go:222",
	}, {
		Name: "Flagger", names: []string{"flagger"},
		timings: seconds(60, 15, 5), Timeout: none, Release: true,
		earlier: earlier{locks: []lockBefore{{release{1, 37}, plan.ConfigMapsLeases}}, lockOpen: true},
		Source:  "github.com/fluxcd/flagger@v1.36.1 cmd/flagger/main.go:329-349",
	}, {
		Name: "Istio's control plane", names: []string{"istio/pilot", "istiod"},
		Elects: []string{"istio/pilot"}, command: "discovery",
		kinds:   []string{"IstioOperator.install.istio.io"},
		timings: quartered, Fixed: true, Timeout: none, Release: true, releaseVaries: true,
		earlier: earlier{lockOpen: true},
		Source: "istio.io/istio@v0.0.0-20260827124520-eed52ebb66ad pilot/pkg/leaderelection/leaderelection.go:165-200,284 " +
			"(most elections on a ConfigMap; at 0921e1a0 no release), pilot/pkg/features/experimental.go:183, " +
			"pilot/pkg/bootstrap/server.go:597 (timeout)",
	}, {
		Name: "Knative's library", names: []string{"config-leader-election", "config-leader-election-controller", "config-leader-election-events",
			"config-leader-election-resolvers", "config-leader-election-webhook"},
		timings: seconds(60, 40, 10), Release: true,
		Source: "knative.dev/pkg@v0.0.0-20230612155445-74c4be5e935e leaderelection/config.go:124-126, leaderelection/context.go:151-171",
	}, {
		Name: "Gloo", names: []string{"solo-io/gloo", "gloo-system/gloo"}, charts: []string{"gloo"},
		timings: common, Release: true,
		Source: "solo-io/gloo pkg/bootstrap/leaderelector/kube/factory.go",
	}, {
		Name: "whereabouts", names: []string{"whereabouts"},
		timings: machine.Timings{LeaseDuration: 1500 * time.Millisecond, RenewDeadline: time.Second, RetryPeriod: 500 * time.Millisecond}, Timeout: none, Release: true, leases: true,
		Source: "k8snetworkplumbingwg/whereabouts pkg/storage/kubernetes/client.go@3a2d1408a6af, pkg/types/types.go",
	}, {
		Name: "the Spark operator", charts: []string{"spark-operator"},
		names:   []string{"kubeflow/spark-operator", "googlecloudplatform/spark-operator", "spark-operator/spark-operator", "spark-operator/controller"},
		timings: common, Timeout: half, releaseIsAssumed: true,
		earlier: earlier{timeoutSince: release{2, 2}, leaseSince: release{2, 2}, timings: seconds(15, 14, 4), timingsSince: release{2, 0}},
		Source: "GoogleCloudPlatform/spark-on-k8s-operator main.go (before v2.0 15s/14s/4s), " +
			"github.com/kubeflow/spark-operator/v2@v2.5.0 cmd/operator/controller/start.go:187-251 (v2.2.1: its flags change nothing)",
	}, {
		Name: "the Spark operator's webhook", partOf: "the Spark operator", argument: "webhook", field: "webhook",
		timings: common, Timeout: half, Fixed: true,
		earlier: withRuntime(release{2, 2}, release{2, 2}),
		Source:  "github.com/kubeflow/spark-operator/v2@v2.5.0 cmd/operator/webhook/start.go:152-217 (the flags are not handed on)",
	}, {
		Name: "Amazon's VPC resource controller", names: []string{"amazon-vpc-resource-controller", "vpc-resource-controller"}, WholeSeconds: true,
		timings: seconds(30, 15, 5), Timeout: half,
		earlier: earlier{
			timeoutSince: release{1, 8}, oldFlag: "enable-leader-election", newFlag: "leader-elect", leaseFlag: "lease-only",
			oldLock: plan.ConfigMapsLeases,
		},
		Source: "aws/amazon-vpc-resource-controller-k8s main.go (flags)",
	}, {
		Name: "Argo Workflows", names: []string{"argoproj/workflow-controller", "argo-workflow-controller"},
		timings: seconds(15, 10, 5), Timeout: none, Release: true, releaseVaries: true,
		Source: "argoproj/argo-workflows cmd/workflow-controller/main.go@6ebf11038ec8 (no release), older workflow/controller/controller.go (release), docs/environment-variables.md",
	}, {
		Name: "Gardener", kinds: []string{".config.gardener.cloud"}, names: []string{"gardener-resource-manager", "gardener-controller-manager"},
		timings: common, Timeout: half, Release: true, releaseIsAssumed: true,
		earlier: withRuntime(release{1, 120}, release{1, 19}),
		Source:  "gardener/gardener cmd/gardener-controller-manager/app/app.go, cmd/gardener-resource-manager/app/app.go (LeaderElectionReleaseOnCancel)",
	}, {
		Name: "Fleet's agent", names: []string{"rancher/fleet-agent", "fleet-agent"}, Borrows: true,
		timings: common, Timeout: none,
		Source: "rancher/fleet internal/cmd/agent/root.go@0a0cc350077c",
	}, {
		Name: "Fleet", names: []string{"rancher/fleet", "fleet-controller"}, Borrows: true,
		timings: common, Timeout: half,
		earlier: withRuntime(release{0, 12}, release{0, 7}),
		Source:  "rancher/fleet internal/cmd/controller/operator.go@03aabde09a08",
	}, {
		Name: "Rancher", settings: []string{"cattleelection"},
		timings: seconds(45, 30, 2), Timeout: FixedTimeout(15 * time.Minute), Release: true,
		Source: "github.com/rancher/wrangler/v3@v3.8.0 pkg/leader/leader.go:17-24,92-128, rancher/rancher pkg/wrangler/context.go@00180f5f2a43, " +
			"rancher/steve pkg/server (RestConfigDefaults: timeout)",
	}, {
		Name: "an operator of OpenShift's library-go", kinds: []string{"GenericOperatorConfig"},
		timings: seconds(137, 107, 26), Release: true,
		earlier: earlier{lockOpen: true},
		Source:  "openshift/library-go pkg/config/leaderelection/leaderelection.go (LeaderElectionDefaulting; at da7c1856cca1 a lock on two objects)",
	}, {
		Name:    "controller-runtime",
		kinds:   []string{"ControllerManagerConfig.controller-runtime.sigs.k8s.io", "ControllerManagerConfiguration.controller-runtime.sigs.k8s.io"},
		timings: common, Timeout: none, releaseIsAssumed: true,
		earlier: earlier{lockOpen: true},
		Source:  "kubernetes-sigs/controller-runtime pkg/config/v1alpha1/types.go of v0.7 to v0.15, pull requests 1773 and 3028",
	},
}

// OfFlag returns the one known program that has the flag; nil if there is none.
func OfFlag(flag string) *Program {
	switch flag {
	case "leader-lease-renew-deadline":
		return Named("nvidia/gpu-operator", "")
	case "election-ttl":
		return Named("ingress-nginx-controller", "")
	}
	return nil
}
