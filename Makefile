.DEFAULT_GOAL := help
.PHONY: python rest adversary fleet e2e oldest runtimes projects help test vet format lint race parity parity-head parity-old managers coordinator shortcut strict search-strict search search-clients exact exact-clients deep forecast forecast-judge investigate mutants fuzz bench bench-check bench-count bench-ratio bench-baseline profile browser etcd gallery sql elector elector-soak electiontest tutorials vulncheck licences licences-check release release-check home home-check ci

GO ?= go
# N is how many fresh plans make parity compares and make strict runs; FIRST is the seed of the first of them.
N ?= 20000
FIRST ?= $(shell date +%s)
# SECONDS is for how long make fuzz tries each reader, on a machine that is not busy.
SECONDS ?= 30
# RUNS is how many make search runs of each sort.
RUNS ?= 400000
PGO := $(CURDIR)/cmd/simulate/release.pgo
# OWNVET vets what is built with other versions of what it imports, where tests compile all of it anyway.
OWNVET := VET="$$($(GO) tool -n vet)" $(GO) vet -vettool=$(CURDIR)/tools/ownvet/vet

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

test: ## all quick tests
	$(GO) test ./...

# The folders whose tests import internal/few.
FEW = $(sort $(dir $(shell grep -rl --include='*_test.go' '/internal/few"' cmd electiontest elector internal reports scenarios)))

# TESTED=yes leaves out the tests that do the same in go test. Who says so has run go test, or runs it beside this.
TESTED ?=
deep: ## the tests of which go test tries an eighth of the cases, with all of them, and all others of their packages (TESTED=yes: but not these)
	INTERREGNUM_CASES=all $(GO) test $(addprefix ./,$(FEW)) -count=1 -timeout 60m $(if $(TESTED),-skip "$$($(GO) run ./internal/few/same $(FEW))")

vet: ## go vet
	$(GO) vet ./...

format: ## fails where a file is not gofmt'ed, or has a merge conflict in it, and names it
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "not gofmt'ed:"; echo "$$out"; exit 1; fi
	@if git grep -nE '^(<{7}|>{7})( |$$)'; then echo "a merge conflict is in these files"; exit 1; fi

lint: ## staticcheck, at the version pinned in tools/go.mod; each package of the root module has a comment
	$(GO) build -C tools -o ../bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	bin/staticcheck ./...

# These take minutes under the race detector, and begin no other goroutines than tests that it does run: other forecasts, and
# TestReaderGone, which runs every command.
ALIKE = TestTuneForecast|TestForecast(Better|Compare|Page|Folder|Shards|Thresholds)|TestEveryFormIsWritten|TestNarrowTerminal|TestTooLong|TestCompletionInBash

race: ## the race detector, on the packages with goroutines
	RAPID_CHECKS=10 $(GO) test -race -short -timeout 30m -skip '^($(ALIKE))$$' ./elector/... ./simlock/... ./internal/explore ./internal/leasewatch ./electiontest/... ./cmd/... ./reports/page

# The go.mod at the top requires the oldest client-go that will do for who imports this module. All else here is built and tested with
# the one that the profile client-go describes: go.work takes it from e2e/newest.
oldest: ## on k8s.io v0.33.0 instead of the v0.37.2 of go.work: vet of what others import, and tests of what does not compare with the library
	GOWORK=off $(OWNVET) ./elector/... ./simlock/... ./electiontest/... ./cmd/...
	GOWORK=off $(GO) test ./elector/kubelock ./elector/sqllock ./internal/calibrate ./internal/leasewatch ./cmd/...

parity: ## N fresh random plans, in the simulated world and on the unmodified library (N=20000 FIRST=seed)
	$(GO) test ./internal/parity -count=1 -v -timeout 30m -run 'TestFresh$$' \
		-parity.fresh $(N) -parity.first $(FIRST)

rest: N = 5000
rest: ## N fresh random plans with rate limiters, retries and timeouts, in the simulated world and on the library's whole client over HTTP; N/5 with strict, and of each sort of fault of an HTTP/1.1 connection, N/50 over HTTP/2, with and without refusals and what else is read there (N=5000 FIRST=seed)
	$(GO) test ./internal/parity/rest -count=1 -v -timeout 30m -run TestFresh -rest.plans $(N) -rest.seed $(FIRST)
	$(GO) test ./internal/parity/conn -count=1 -v -timeout 30m -run TestFresh -conn.plans $$(($(N) / 5)) -conn.seed $(FIRST)

# PARITY_HEAD is more for the program, such as -version v0.38.0-rc.0. The newest library may want a newer Go, which the go
# command then fetches from GOPROXY too; GOTOOLCHAIN=local keeps it from that.
PARITY_HEAD ?=

parity-head: ## parity with the newest client-go of the module proxy, pre-releases included, and a table of what is new (N=20000 FIRST=seed)
	@GOTOOLCHAIN=$${GOTOOLCHAIN:-auto} $(GO) run ./internal/newest/head -fresh $(N) -first $(FIRST) $(PARITY_HEAD)

parity-old: ## the same on v0.24.17, v0.20.15 (with its locks, and kubelock) and v0.17.17, with the pinned plans (N=20000 FIRST=seed)
	@set -e; for module in clientgo024 clientgo020 clientgo017; do \
		echo "e2e/$$module"; (cd e2e/$$module && $(OWNVET) ./... && $(GO) test ./... -count=1 -timeout 90m \
			-parity.fresh $(N) -parity.first $(FIRST)); \
	done

runtimes: ## programs on controller-runtime v0.21, v0.22 and v0.23, each with the Kubernetes modules that it was made for (the newest: make electiontest)
	@set -e; for module in runtime021 runtime022 runtime023; do \
		echo "e2e/$$module"; (cd e2e/$$module && $(OWNVET) ./... && $(GO) test ./... -count=1 -timeout 30m); \
	done

projects: ## the test suites of three real projects, on client-go's fake clientset and on simlock/fakekube (PROJECT=external-attacher alone; the first build takes minutes)
	cd e2e/projects && $(OWNVET) ./... && $(GO) test ./... -count=1 -v -timeout 60m -projects.only '$(PROJECT)'

managers: ## real managers of sigs.k8s.io/controller-runtime, over simlock/fakekube
	cd e2e/fakekube && $(OWNVET) ./... && $(GO) test ./... -count=1 -timeout 30m

coordinator: ## coordinated elections, and a brownout's seats, against the API server's own code
	cd e2e/coordinator && $(OWNVET) ./... && $(GO) test ./... -count=1 -timeout 30m

python: N = 2000
python: ## the profile python against Debian's python3-kubernetes, call by call, in N random courses (N=2000 FIRST=seed)
	$(GO) vet -tags python ./internal/wallclock
	$(GO) test -tags python ./internal/wallclock -count=1 -v -run 'TestReal$$' -python.runs $(N) -python.seed $(FIRST)

tutorials: ## does all that docs/tutorials/*.md say, and compares what is printed (20 s; the first build takes minutes)
	$(GO) test ./internal/tutorial -count=1 -timeout 30m -tutorials

electiontest: N = 200
electiontest: ## the test kit in N random scenarios of each of five sorts (N=200), on managers of controller-runtime, and on jobs in SQLite
	$(GO) test ./electiontest -count=1 -v -timeout 60m -run TestParityRandom -random $(N)
	cd e2e/electiontest && $(OWNVET) ./... && $(GO) test ./... -count=1 -timeout 30m

shortcut: ## N random plans with the simulator's short cut and without: the same (N=20000 FIRST=seed)
	$(GO) test ./internal/sim -count=1 -v -timeout 60m -run 'TestShortcut$$' -shortcut.runs $(N) -shortcut.first $(FIRST)

strict: ## N random scenarios of each sort, in which strict must hold (N=20000 FIRST=seed)
	$(GO) test ./scenarios/scenariotest -count=1 -v -timeout 60m -run TestStrictHoldsInRandom \
		-strict.runs $(N) -strict.first $(FIRST)

fleet: ## N random fleets of strict in each of five environments, and N/500 of real electors with blocked logs, judged by their work alone (N=20000 FIRST=seed)
	$(GO) test ./scenarios/scenariotest -count=1 -v -timeout 120m -run 'TestFleetOfTerms$$' -strict.runs $(N) -strict.first $(FIRST)
	$(GO) test ./elector -count=1 -v -timeout 120m -run 'TestFleet$$' -fleet.runs $$(($(N) / 500 + 1)) -fleet.first $(FIRST)

search-strict: ## a search of a million runs: strict in 150,000 scenarios of each sort (minutes)
	$(MAKE) strict N=150000

search: ## simulate search: strict on RUNS seeds that are always the same, and on RUNS from FIRST on; on networks and frozen
	$(GO) build -o bin/simulate ./cmd/simulate
	@set -e; for first in 0 $(FIRST)00000000; do \
		for may in "--drain 4s" "--max-pause 1m --max-drift-ppm 200000 --deletes"; do \
			search="simulate search --profile strict $$may --runs $(RUNS) --first-seed $$first \
				--lease-duration 15s --renew-deadline 10s --retry-period 2s"; \
			echo $$search; bin/$$search; \
		done; \
	done

search-clients: ## simulate search: strict with clients, on RUNS seeds that are always the same; RUNS/8 frozen and in two elections (minutes)
	$(GO) build -o bin/simulate ./cmd/simulate
	bin/simulate search --profile strict --clients --runs $(RUNS)
	bin/simulate search --profile strict --clients --runs $$(($(RUNS) / 8)) --max-pause 1m --max-drift-ppm 200000 --deletes --elections 2

exact: ## N random configurations: the witness shows the worst overlap, and adversaries no more (N=20000 FIRST=seed RAPID_SEED=seed)
	$(GO) test ./internal/bound -count=1 -rapid.checks $(N)
	$(GO) test ./internal/gate/stage -count=1 -v -timeout 60m -run 'TestExact(Locks|WallClock)?$$|TestAdversary$$' \
		-rapid.checks $(N) -exact.cases $$(($(N) / 50)) -exact.steps 600 -exact.first $(FIRST)

exact-clients: ## N random clients with waits of their own: witnesses within the environment, and adversaries no more than the bound (N=20000 FIRST=seed)
	$(GO) test ./internal/gate -count=1 -v -timeout 60m -run 'TestClient(Within|Exact)$$' \
		-rapid.checks $$(($(N) / 5)) -exact.clients $$(($(N) / 50)) -exact.first $(FIRST)
	$(GO) test ./internal/gate/stage -count=1 -v -timeout 60m -run 'TestClientAdversary$$' \
		-exact.clients $$(($(N) / 50)) -exact.steps 600 -exact.first $(FIRST)

# Half of N on the library, a quarter in the simulated world where the library can follow, a quarter where it cannot. A quarter of each begins
# with the worst case that was derived, and so does all that comes on top of N: a few scenarios each in many configurations. KEEP is a
# folder in which refutations are kept as scenario files.
ADVERSARY := $(GO) test ./internal/adversary -count=1 -timeout 24h -v -run 'TestAttack$$' -adversary.first $(FIRST) \
	-adversary.keep "$(abspath $(KEEP))"

adversary: ## attacks the bound in N fresh scenarios and more, from nothing and from its own worst case: docs/method/testing.md (N=20000 FIRST=seed KEEP=folder)
	$(ADVERSARY) -adversary.configs $$(($(N) / 1000)) -adversary.each 500
	$(ADVERSARY) -adversary.sim -adversary.configs $$(($(N) / 4000 + 1)) -adversary.each 1000
	$(ADVERSARY) -adversary.beyond -adversary.configs $$(($(N) / 4000 + 1)) -adversary.each 1000
	$(ADVERSARY) -adversary.sim -adversary.configs $$(($(N) / 20)) -adversary.each 20 -adversary.seeded 1
	$(ADVERSARY) -adversary.beyond -adversary.configs $$(($(N) / 20)) -adversary.each 20 -adversary.seeded 1

forecast: N = 200
forecast: ## N forecasts of each question whose truth is known: 93 to 97 of 100 intervals contain it (N=200, CASE=its name; docs/method/forecast-truth.md)
	$(GO) test ./internal/forecast -count=1 -v -timeout 24h -run 'TestTruthCoverage$$' -truth.runs $(N) -truth.only '$(CASE)'

forecast-judge: ## the truths themselves against long runs of the simulated world (minutes)
	$(GO) test ./internal/forecast -count=1 -v -timeout 60m -run 'TestTruthJudge$$' -truth.judge -truth.only '$(CASE)'

investigate: ## N random runs, told from their logs and compared with what really happened (N=20000 FIRST=seed)
	$(GO) test ./internal/investigate/witness -count=1 -v -timeout 60m -run 'TestStories$$' -witness.runs $(N) -witness.first $(FIRST)

mutants: ## plants each bug of internal/mutants and hunts it; one that survives is a failure
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	$(GO) run ./internal/mutants/overlay "$$dir" && \
	$(GO) test -overlay "$$dir/overlay.json" ./scenarios/scenariotest -count=1 -v -timeout 90m \
		-run 'TestMutants$$' -mutants && \
	$(GO) test -overlay "$$dir/overlay.json" ./internal/sim -count=1 -v -timeout 30m -run 'TestShortcutMutants$$' -mutants && \
	$(GO) test -overlay "$$dir/overlay.json" ./internal/investigate/witness -count=1 -v -timeout 30m -run 'TestClaimMutants$$' -mutants && \
	$(GO) test -overlay "$$dir/overlay.json" ./internal/parity/rest -count=1 -v -timeout 30m -run 'TestClientMutants$$' -mutants

# FUZZ is every reader of what somebody else wrote: package, fuzz test, and how many inputs it gets through in a second. A new
# reader is a new line. Inputs are counted, since go test -fuzz may call the end of a time a failure (go.dev/issue/75804).
FUZZ := \
	scenarios:FuzzRead:5000 scenarios:FuzzRun:4000 cmd/simulate:FuzzShow:80 \
	internal/gate/files:FuzzRead:2500 internal/gate:FuzzGate:700 \
	internal/trace:FuzzReader:8000 cmd/simulate:FuzzTraceSide:750 \
	cmd/simulate/report:FuzzSaved:1700 internal/search:FuzzResults:7000 internal/search:FuzzCorpus:5500 \
	internal/calibrate:FuzzAudit:750 internal/behaviour:FuzzRead:3000 internal/investigate:FuzzTell:3000 \
	elector/kubelock:FuzzAnnotation:950 elector:FuzzRecord:1500 elector/sqllock:FuzzRow:1400 \
	simlock/fakekube:FuzzHTTP:1500

# Two at a time, each on one core; what one says is shown when it is done. What most of them are built of is compiled first, since two at a
# time would both compile it.
fuzz: ## every reader of what somebody else wrote, each for some SECONDS (30)
	@$(GO) test -c -o /dev/null -fuzz . ./cmd/simulate
	@printf '%s\n' $(FUZZ) | tr : ' ' | xargs -P 2 -L 1 sh -c 'said=$$($(GO) test "./$$0" -run "^$$" -fuzz "^$$1$$" \
			-fuzztime $$(($$2 * $(SECONDS)))x -fuzzminimizetime 100x -parallel 1 2>&1); status=$$?; \
		printf "fuzz %s %s\n%s\n" "$$0" "$$1" "$$said"; exit $$status'

bench: ## a lock operation here against one of the library, what an event costs, and how many runs a search does in a second; with valgrind, their instructions too
	$(GO) test -pgo=$(PGO) ./internal/parity ./internal/sim/... ./internal/search ./internal/forecast -run '^$$' -bench . -benchtime 20x
	@if command -v valgrind >/dev/null; then $(COUNT) -worse inf; fi

# COUNT is what bench and bench-check compare where there is valgrind: instructions, which depend little on what else the machine does.
COUNT := $(GO) run ./internal/instructions -baseline testdata/instructions.txt -build '-pgo=$(PGO)'

bench-check: bench-count bench-ratio ## both of them

bench-count: ## fails where a lock operation or a run of a search takes more than 5 percent more instructions than in the baseline (valgrind)
	@if command -v valgrind >/dev/null; then $(COUNT) -worse 5; \
	else echo "there is no valgrind to count instructions with: only make bench-ratio compares"; fi

# What bench-ratio compares, and by how many percent it may get worse; less than that is noise on a busy machine.
BASELINE := testdata/bench-baseline.txt
WORSE ?= 30
RACE := $(GO) test -pgo=$(PGO) ./internal/parity -run '^$$' -bench '^Benchmark(Steady|Failover)$$' -benchtime 3x -count 8 -cpu 2

bench-ratio: ## fails where, against the library, a lock operation has become more than WORSE percent slower than in the baseline
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && { $(RACE) >"$$dir/now.txt" || { cat "$$dir/now.txt"; exit 1; }; } && \
	(echo 'Unit x-faster better=higher'; cat $(BASELINE)) >"$$dir/baseline.txt" && \
	$(GO) tool -C tools benchstat -format csv -filter '.unit:x-faster' -ignore goos,goarch,cpu -alpha 0.01 \
		"$$dir/baseline.txt" "$$dir/now.txt" >"$$dir/compared.csv" && \
	$(GO) run ./internal/benchcheck -worse $(WORSE) <"$$dir/compared.csv"

bench-baseline: ## counts and measures anew what bench-check and bench-ratio compare with (valgrind)
	$(COUNT) -write
	$(RACE) >$(BASELINE)

profile: ## measures anew what the compiler optimizes simulate for (the benchmarks too are built with it)
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	$(GO) test -trimpath -pgo=off ./internal/sim/simbench -run '^$$' -bench Simulat -benchtime 3000x -cpuprofile "$$dir/sim" -o /dev/null && \
	$(GO) test -trimpath -pgo=off ./internal/search -run '^$$' -bench Swarm -benchtime 4000x -cpu 1 -cpuprofile "$$dir/search" -o /dev/null && \
	$(GO) tool pprof -proto "$$dir/sim" "$$dir/search" >$(PGO)

browser: ## the HTML pages in a real browser, Debian's chromium; without one it says that it skipped
	cd e2e/browser && $(OWNVET) ./... && $(GO) test ./... -count=1 -v -timeout 30m

etcd: ## elector, its etcd lock and cmd/elector on a real etcd: leaders killed, frozen, cut off (40 s; the first build takes minutes)
	cd elector/etcdlock && $(GO) vet ./... && $(GO) test ./... -count=1 -timeout 30m
	cd e2e/etcd && $(OWNVET) ./... && $(GO) test ./... -count=1 -v -timeout 30m

e2e: ## on a real kube-apiserver, kube-controller-manager and etcd: fakekube compared, calibrate, investigate, forecast, cmd/elector, the Jobs of deploy/search (20 minutes, and the first build)
	cd e2e/kubernetes && $(OWNVET) ./... && $(GO) test ./... -count=1 -v -timeout 60m

gallery: ## writes docs/gallery anew: the pages, and their pictures with chromium
	$(GO) test ./cmd/simulate -run 'TestGallery$$' -count=1 -gallery
	cd e2e/browser && $(GO) test ./... -run TestGalleryPictures -count=1 -v -gallery

sql: ## elector/sqllock on SQLite, and with cmd/elector on a PostgreSQL of its own where that is installed; else it says what it skipped
	cd e2e/sql && $(OWNVET) ./... && $(GO) test ./... -count=1 -v -run 'TestServer$$' && $(GO) test ./... -count=1 -timeout 30m

elector: ## cmd/elector: real processes killed and frozen on SQLite, and a fake Kubernetes (40 s; the first build takes a minute)
	cd cmd/elector && $(GO) vet ./... && $(GO) test ./... -count=1 -timeout 30m

elector-more: ## what CI leaves out, since all it needs must be compiled for it: cmd/elector with the race detector, and vetted for macOS
	cd cmd/elector && $(GO) test -race -short ./...
	cd cmd/elector && GOOS=darwin GOARCH=arm64 $(GO) vet ./...

# SOAK is for how long make elector-soak does harm, drawn from FIRST.
SOAK ?= 3m

elector-soak: ## cmd/elector on SQLite and PostgreSQL: for SOAK (3m) each electors and guards are killed and frozen at random (FIRST=seed)
	cd cmd/elector && $(GO) test . -count=1 -v -timeout 24h -run 'TestSoak$$' -soak $(SOAK) -soak.seed $(FIRST)
	cd e2e/sql && $(GO) test . -count=1 -v -timeout 24h -run 'TestElectorSoak$$' -soak $(SOAK) -soak.seed $(FIRST)

# VULNDB is the database that make vulncheck asks: https:// or file://.
VULNDB ?= https://vuln.go.dev
GOVULNCHECK := env GOWORK=off $(GO) tool -modfile=$(CURDIR)/tools/go.mod govulncheck

# First govulncheck must find what testdata/vulndb invents: that all versions of go.yaml.in/yaml/v3 are vulnerable where they parse.
# It exits with 3 where it finds something.
vulncheck: ## govulncheck on what ships (VULNDB=url); says that it skipped where the database cannot be reached
	@$(GOVULNCHECK) -db 'file://$(CURDIR)/testdata/vulndb' ./scenarios >/dev/null; \
	[ $$? = 3 ] || { echo "govulncheck does not find what testdata/vulndb invents"; exit 1; }
	@$(GOVULNCHECK) -db 'file://$(CURDIR)/testdata/vulndb' ./internal/sim
	@why=$$(timeout 60 $(GOVULNCHECK) -db '$(VULNDB)' ./internal/private 2>&1); code=$$?; \
	case "$$code $$why" in '1 '*'fetching vulnerabilities: '* | '124 '*) \
		echo "skipped: the database of vulnerabilities cannot be reached: $${why:-no answer within a minute}"; exit 0 ;; \
	esac; \
	worst=0; for dir in . elector/etcdlock cmd/elector; do \
		echo "$$dir"; $(GOVULNCHECK) -db '$(VULNDB)' -C "$$dir" ./... || worst=$$?; \
	done; exit $$worst

licences: ## writes the list in docs/release.md anew: what is linked into what ships; fails on a licence that is not permissive
	$(GO) run -C tools ./licences

licences-check: ## fails where the list in docs/release.md is not up to date, or a licence is not permissive
	$(GO) test -C tools ./licences
	$(GO) run -C tools ./licences -check

release: ## archives of the tag VERSION for every platform, with their sums, in dist/ (VERSION=v0.1.0; docs/release.md)
	$(GO) run -C tools ./release -version '$(VERSION)'

# CHECK=-release.cold compiles everything twice (minutes).
CHECK ?=
release-check: ## the archive of linux/amd64, of this tree, twice: static, complete, and the same bytes; and what the image holds
	$(GO) test -C tools ./release -count=1 -v -timeout 30m -release.build $(CHECK)
	$(GO) test ./cmd/simulate -count=1 -v -run 'TestDockerfile$$' -image.build

home: ## moves all modules to a path under which they can be published (MODULE=github.com/you/interregnum; VERSION=v0.1.0 for the commit of the tags)
	$(GO) run -C tools ./home -module '$(MODULE)' -version '$(VERSION)'

home-check: ## moves a copy, publishes it in a folder, and installs and imports it from there, as a user does (minutes)
	$(GO) test -C tools ./home -count=1 -timeout 60m -v -home.publish

ci: ## what CI runs
	bash .ci/run
