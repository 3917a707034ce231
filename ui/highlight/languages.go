package highlight

import (
	"bytes"
	"path"
	"strings"
)

// language is a definition of the folder lexers: by the name of its file, the
// names that other definitions call it by, and the files that are written in it.
type language struct {
	file  string
	ends  string   // file names' ends, blank-separated
	names string   // whole file names, and what scripts name in their first line
	needs []string // languages that stand inside it
}

// languages is the table. Ends and names are in lower case.
func languages() []language {
	return []language{
		{"awk", ".awk", "awk gawk mawk", nil},
		{"bash", ".sh .bash .zsh .ksh .ebuild .eclass .bats", "sh bash zsh ksh dash .bashrc .bash_profile .profile .zshrc .zshenv .envrc pkgbuild apkbuild", nil},
		{"c", ".c .h .idc .x", "", nil},
		{"clojure", ".clj .cljs .cljc .edn", "", nil},
		{"cmake", ".cmake", "cmakelists.txt", nil},
		{"cpp", ".cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .tpp .ino .cu .cuh", "", nil},
		{"csharp", ".cs .csx", "", nil},
		{"css", ".css .less", "", nil},
		{"dart", ".dart", "", nil},
		{"docker", ".dockerfile .containerfile", "dockerfile containerfile", []string{"bash", "json"}},
		{"elixir", ".ex .exs", "", nil},
		{"erlang", ".erl .hrl", "escript rebar.config", nil},
		{"fish", ".fish", "fish", nil},
		{"fsharp", ".fs .fsi .fsx", "", nil},
		{"go", ".go", "", nil},
		{"go_template", ".tmpl .gotmpl", "", nil},
		{"graphql", ".graphql .gql .graphqls", "", nil},
		{"groovy", ".groovy .gradle", "jenkinsfile", nil},
		{"haskell", ".hs", "runhaskell", nil},
		{"hcl", ".hcl", "", nil},
		{"html", ".html .htm .xhtml .svelte .astro .jinja .j2", "", []string{"javascript", "css"}},
		{"ini", ".ini .cfg .conf .service .timer .socket .desktop .editorconfig", ".gitconfig .gitmodules .editorconfig .npmrc setup.cfg", nil},
		{"java", ".java", "", nil},
		{"javascript", ".js .mjs .cjs", "node nodejs", nil},
		{"json", ".json .jsonc .json5 .geojson .webmanifest .jsonl .ndjson .ipynb .avsc", ".eslintrc .prettierrc .babelrc composer.lock pipfile.lock", nil},
		{"julia", ".jl", "julia", nil},
		{"kotlin", ".kt .kts", "", nil},
		{"lua", ".lua .rockspec", "lua luajit", nil},
		{"makefile", ".mk .mak .make", "makefile gnumakefile make kbuild", []string{"bash"}},
		{"markdown", ".md .mkd .markdown .mdx", "", []string{"yaml"}},
		{"nginx", ".nginx .vhost", "nginx.conf", nil},
		{"nix", ".nix", "", nil},
		{"objective_c", ".m .mm", "", nil},
		{"ocaml", ".ml .mli .mll .mly", "ocaml", nil},
		{"perl", ".pl .pm .t", "perl", nil},
		{"php", ".php .php5 .phtml .inc", "php", []string{"html", "javascript", "css"}},
		{"powershell", ".ps1 .psm1 .psd1", "pwsh", nil},
		{"properties", ".properties .env", ".env", nil},
		{"protobuf", ".proto", "", nil},
		{"python", ".py .pyw .pyi .bzl .bazel .star", "python python2 python3 sconstruct build workspace", nil},
		{"r", ".r .rscript", "rscript .rprofile", nil},
		{"react", ".jsx .tsx", "", nil},
		{"ruby", ".rb .rake .gemspec .ru .podspec", "ruby rakefile gemfile podfile vagrantfile brewfile fastfile", nil},
		{"rust", ".rs", "", nil},
		{"scala", ".scala .sbt .sc", "scala", nil},
		{"scss", ".scss", "", nil},
		{"sql", ".sql .ddl .psql", "", nil},
		{"swift", ".swift", "swift", nil},
		{"terraform", ".tf .tfvars", "", nil},
		{"toml", ".toml", "cargo.lock poetry.lock uv.lock pdm.lock gopkg.lock pipfile", nil},
		{"typescript", ".ts .mts .cts", "deno ts-node bun", nil},
		{"viml", ".vim", ".vimrc vimrc", []string{"python"}},
		{"vue", ".vue", "", nil},
		{"xml", ".xml .xsd .xsl .xslt .svg .plist .csproj .fsproj .vbproj .props .targets .xaml .rss .wsdl .pom", "", nil},
		{"yaml", ".yaml .yml .clang-format .clang-tidy", ".clang-format .clang-tidy .gemrc", nil},
		{"zig", ".zig .zon", "", nil},
	}
}

// named finds the language of a file by its name, then by the program that its
// first line names; false when there is none.
func named(file string, first []byte) (language, bool) {
	base := strings.ToLower(path.Base(file))
	list := languages()
	if l, ok := find(list, func(l language) string { return l.names }, base); ok {
		return l, true
	}
	for dot := strings.IndexByte(base, '.'); dot >= 0; { // ".tar.gz" before ".gz"
		if l, ok := find(list, func(l language) string { return l.ends }, base[dot:]); ok {
			return l, true
		}
		next := strings.IndexByte(base[dot+1:], '.')
		if next < 0 {
			break
		}
		dot += 1 + next
	}
	if stem, _, _ := strings.Cut(base, "."); stem == "dockerfile" || stem == "containerfile" || stem == "makefile" {
		return find(list, func(l language) string { return l.names }, stem)
	}
	if p := program(first); p != "" {
		return find(list, func(l language) string { return l.names }, p)
	}
	return language{}, false
}

func find(list []language, words func(language) string, word string) (language, bool) {
	for _, l := range list {
		for _, w := range strings.Fields(words(l)) {
			if w == word {
				return l, true
			}
		}
	}
	return language{}, false
}

// program is what a first line "#!…" runs: "python3" of "#!/usr/bin/env -S python3 -u".
func program(line []byte) string {
	line, ok := bytes.CutPrefix(line, []byte("#!"))
	if !ok || len(line) > 256 {
		return ""
	}
	for i, word := range strings.Fields(string(line)) {
		word = strings.ToLower(path.Base(word))
		if i == 0 && word == "env" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		return strings.TrimRight(word, "0123456789.")
	}
	return ""
}
