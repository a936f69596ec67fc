package main

import (
	_ "github.com/go-logr/logr"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "github.com/spf13/cobra"
	_ "github.com/spf13/pflag"
	_ "go.etcd.io/etcd/client/v3"
	_ "go.uber.org/zap"
	_ "golang.org/x/sys/unix"
	_ "interregnum/elector"
	_ "interregnum/elector/etcdlock"
	_ "interregnum/elector/kubelock"
	_ "interregnum/elector/sqllock"
	_ "interregnum/simlock/fakekube"
	_ "k8s.io/client-go/kubernetes"
	_ "k8s.io/client-go/informers"
	_ "k8s.io/client-go/tools/clientcmd"
	_ "k8s.io/klog/v2"
	_ "modernc.org/sqlite"
	_ "github.com/stretchr/testify/require"
)

func main() {}
