package driver

import (
	"slices"
	"strings"
)

// GCC takes a long name with two dashes for many of its options, with the value in the next word or behind a sign of equality.
// longNames gives the form that the rest of the wrapper knows. One that ends in "=" or is in longJoined takes its value in
// the same word.
var longNames = map[string]string{
	"--all-warnings": "-Wall", "--ansi": "-ansi", "--assemble": "-S", "--assert": "-A", "--comments": "-C", "--comments-in-macros": "-CC",
	"--compile": "-c", "--coverage": "-coverage", "--debug": "-g", "--define-macro": "-D", "--dependencies": "-M", "--dump": "-d", "--dumpbase": "-dumpbase",
	"--dumpdir": "-dumpdir", "--entry": "-e", "--extra-warnings": "-Wextra", "--for-assembler": "-Xassembler", "--for-linker": "-Xlinker", "--force-link": "-u",
	"--imacros": "-imacros", "--include": "-include", "--include-barrier": "-I-", "--include-directory": "-I", "--include-directory-after": "-idirafter",
	"--include-prefix": "-iprefix", "--include-with-prefix": "-iwithprefix", "--include-with-prefix-after": "-iwithprefix",
	"--include-with-prefix-before": "-iwithprefixbefore", "--language": "-x", "--library-directory": "-L", "--no-line-commands": "-P",
	"--no-standard-includes": "-nostdinc", "--no-standard-libraries": "-nostdlib", "--no-warnings": "-w", "--optimize": "-O", "--output": "-o",
	"--pedantic": "-pedantic", "--pedantic-errors": "-pedantic-errors", "--pie": "-pie", "--pipe": "-pipe", "--preprocess": "-E", "--profile": "-p",
	"--save-temps": "-save-temps", "--shared": "-shared", "--static": "-static", "--static-pie": "-static-pie", "--std": "-std=", "--symbolic": "-symbolic",
	"--trace-includes": "-H", "--traditional-cpp": "-traditional-cpp", "--trigraphs": "-trigraphs", "--undefine-macro": "-U", "--user-dependencies": "-MM",
	"--verbose": "-v", "--write-dependencies": "-MD", "--write-user-dependencies": "-MMD",
}

var longJoined = []string{"-std=", "-O", "-g", "-d", "-save-temps"}

// shortForm is what the option w, which has two dashes, stands for, nil where it is known by no other name.
func shortForm(w string) []string {
	name, value, has := strings.Cut(w, "=")
	short := longNames[name]
	switch {
	case short == "" || !has && strings.HasSuffix(short, "="):
		return nil
	case !has:
		return []string{short}
	case slices.Contains(longJoined, short):
		if short == "-save-temps" {
			short += "="
		}
		return []string{short + value}
	}
	return []string{short, value}
}
