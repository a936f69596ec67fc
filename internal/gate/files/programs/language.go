package programs

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/gate/files/shell"
)

// language is a language whose programs do not use client-go, with what such a program is known by.
type language struct {
	name string
	// starts are commands that start one, without a version, and scripts are the endings of files with one.
	starts, scripts []string
	// images are base images, without a version. words are in the names of other images.
	images, words []string
	// variables are beginnings of the names of its environment variables. exactly are whole names of others, since programs in other
	// languages have variables that begin so.
	variables, exactly []string
	// fields are those of its configuration in YAML.
	fields []string
}

// Java is one of languages.
const Java = "Java"

// languages are the languages, other than Go, in which programs with leader election are written.
var languages = []language{
	{
		name: Java, starts: []string{"java"}, scripts: []string{".jar"},
		images: []string{"openjdk", "jre", "jdk", "java", "eclipse-temurin", "amazoncorretto", "zulu-openjdk", "graalvm-community"},
		words:  []string{"java", "jvm", "quarkus", "spring"},
		variables: []string{
			"JAVA_OPT", "JAVA_ARGS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JVM_", "SPRING_", "QUARKUS_", "MICRONAUT_",
		},
		exactly: []string{"JAVA_HOME"}, fields: []string{"spring", "quarkus", "camel", "micronaut"},
	},
	{
		name: "C#", starts: []string{"dotnet"}, scripts: []string{".dll"}, images: []string{"aspnet", "dotnet", "dotnet-runtime"},
		words: []string{"dotnet", "csharp"}, variables: []string{"DOTNET_", "ASPNETCORE_"},
	},
	{
		name: "Python", starts: []string{"python", "uv", "gunicorn", "uvicorn", "hypercorn", "kopf", "poetry", "pipenv", "celery", "flask"}, scripts: []string{".py", ".pyz"},
		images: []string{"python"}, words: []string{"python", "py"},
		variables: []string{"PYTHON", "UVICORN_", "GUNICORN_", "DJANGO_"},
	},
	{
		name: "JavaScript", starts: []string{"node", "nodejs", "npm", "npx", "yarn", "pnpm", "bun", "deno", "tsx", "ts-node"}, scripts: []string{".js", ".mjs", ".cjs", ".ts"},
		images: []string{"node", "nodejs", "bun", "deno"}, words: []string{"nodejs"},
		exactly: []string{"NODE_ENV", "NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS"},
	},
	{
		name: "Ruby", starts: []string{"ruby", "bundle", "rake", "rails"}, scripts: []string{".rb"}, images: []string{"ruby"}, words: []string{"ruby"},
		variables: []string{"RUBY", "RAILS_", "BUNDLE_"},
	},
	{name: "PHP", starts: []string{"php", "php-fpm"}, scripts: []string{".php"}, images: []string{"php"}, words: []string{"php"}},
	{name: "Elixir", starts: []string{"elixir", "mix", "iex"}, scripts: []string{".exs"}, images: []string{"elixir", "erlang"}, words: []string{"elixir"}},
	{name: "Rust", starts: []string{"cargo"}, images: []string{"rust"}, words: []string{"rust", "rs"}, variables: []string{"RUST_LOG", "RUST_BACKTRACE"}},
}

// languageThat returns the name of the first language in languages that the function is accepts (for which it returns true); "" if
// there is none.
func languageThat(is func(*language) bool) string {
	for i := range languages {
		if is(&languages[i]) {
			return languages[i].name
		}
	}
	return ""
}

// version ends the names of base images and commands: python3.12, openjdk-21, nodejs20-debian12.
var version = regexp.MustCompile(`-?[0-9][0-9.]*(-debian[0-9]+)?$`)

// LanguageOfImage returns the language of an image's program, by the image's name; "" if the name does not tell it.
func LanguageOfImage(image string) string {
	base, parent := imageName(image)
	if parent == "dotnet" {
		base = parent // mcr.microsoft.com/dotnet/runtime
	}
	base = version.ReplaceAllString(base, "")
	parts := strings.Split(NormalWords(base), "-")
	return languageThat(func(l *language) bool {
		return slices.Contains(l.images, base) || slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(l.words, part) })
	})
}

// LanguageOfVariable returns the language of a program that has an environment variable of that name; "" if the name does not
// tell it.
func LanguageOfVariable(name string) string {
	return languageThat(func(l *language) bool {
		return slices.Contains(l.exactly, name) || l.name == Java && strings.HasSuffix(name, "_JAVA_OPTS") ||
			slices.ContainsFunc(l.variables, func(begin string) bool { return strings.HasPrefix(name, begin) })
	})
}

// LanguageOfField returns the language of a program whose configuration has that field at its top; "" if the name does not tell it.
func LanguageOfField(name string) string {
	return languageThat(func(l *language) bool { return slices.Contains(l.fields, name) })
}

// starters are programs that start another one, which their command line names.
var starters = []string{"sh", "bash", "ash", "dash", "exec", "env", "tini", "dumb-init", "-c", "-ec", "-lc", "--"}

// ofVM are arguments that the Java virtual machine takes, and hardly another program.
var ofVM = regexp.MustCompile(`^-(jar$|D[A-Za-z_.]+=|Xm[sx][0-9]|XX:)`)

// LanguageOfCommand returns the language of the program that a command line starts. Its first word that is not one of starters
// tells the language, if it is a command or a script of one. So does a word anywhere that is java or an argument of the Java
// virtual machine. It returns "" if none tells it.
func LanguageOfCommand(words []shell.Word) string {
	first := true
	for _, w := range words {
		base := path.Base(w.Text)
		if first && slices.Contains(starters, base) {
			continue
		}
		command, begins := "", first && !strings.HasPrefix(w.Text, "-")
		if begins {
			command = version.ReplaceAllString(base, "")
		}
		found := languageThat(func(l *language) bool {
			return begins && slices.Contains(l.starts, command) || l.name == Java && (ofVM.MatchString(w.Text) || base == "java")
		})
		if found == "" && begins {
			found = languageOfScript(base)
		}
		if found != "" {
			return found
		}
		first = false
	}
	return ""
}

// languageOfScript returns the language of a program in a file of that name, by its ending; "" if the ending does not tell it.
func languageOfScript(name string) string {
	return languageThat(func(l *language) bool { return slices.Contains(l.scripts, path.Ext(name)) })
}
