package finding

// The rules, as indices into sarifRules. Their ids must not change, since code scanning knows alerts by them.
const (
	unsafeRule = iota
	refusedRule
	badInputRule
	unreadableRule
	ignoredRule
	unreadRule
)

// settingsURI is the library's documentation of its settings.
const settingsURI = "https://pkg.go.dev/k8s.io/client-go/tools/leaderelection#LeaderElectionConfig"

// sarifRules returns all rules, in the order of their constants.
func sarifRules() []sarifRule {
	return []sarifRule{
		newSARIFRule("unsafe", "UnsafeTimings", "error", "Two leaders can work at once.",
			"Within the environment that was given, the guarded work of two leaders can overlap: a leader's work goes on "+
				"for longer than a follower waits before it takes over.",
			"Change one of the settings as the message proposes, bound what a request may take with a timeout of the "+
				"client, or correct the environment. `simulate gate --witness DIR FILE` writes the worst case as a scenario, "+
				"and `simulate run` shows it."),
		newSARIFRule("refused", "RefusedTimings", "error", "The configuration is refused.",
			"The library or a real server does not take this configuration: the process would end when it starts.",
			"LeaseDuration must be above RenewDeadline, and that above 1.2 times RetryPeriod; a server wants a lease of at "+
				"least a second."),
		newSARIFRule("bad-input", "BadInput", "error", "The input cannot be judged.",
			"Something in the file is not what it should be, so that the gate cannot tell whether it is safe.",
			"Correct what the message names."),
		newSARIFRule("unreadable", "ValueIsElsewhere", "warning", "A value is only known elsewhere.",
			"A setting of leader election is a template or a variable whose value is not in the files.",
			"Render the templates first: `helm template CHART | simulate gate -`."),
		newSARIFRule("ignored", "SettingIgnored", "note", "A setting was left out of account.",
			"It looks like one of leader election, but alone it is not enough to judge.",
			"Where it is one, give the others beside it."),
		newSARIFRule("unread", "NothingRead", "warning", "Leader election is mentioned, and nothing was read.",
			"The document has the words of settings of leader election, in a form that the gate does not read or for a client that is not client-go: it is not judged.",
			"Write the settings in one of the forms in docs/gate-files.md, or judge the timings with flags. The timings of a "+
				"client that is not client-go are judged with its profile: `simulate gate --profile java --lease-duration 15s`."),
	}
}

// newSARIFRule returns a rule with these texts. level is that of its results: error, warning or note.
func newSARIFRule(id, name, level, short, full, help string) sarifRule {
	r := sarifRule{ID: id, Name: name, Short: sarifText{short}, Full: sarifText{full}, HelpURI: settingsURI}
	r.Help.Text, r.Help.Markdown = help, help
	r.Configuration.Level = level
	r.Properties.Tags, r.Properties.Precision = []string{"kubernetes", "leader-election"}, "very-high"
	return r
}
