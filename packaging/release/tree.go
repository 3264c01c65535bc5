package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"opari/internal/buildfiles"
	"opari/internal/driver"
)

// tree makes a folder for a prefix with all that needs no compiler: the program, its wrappers,
// pages of the manual, completions, files for build systems, documents and examples.
func (r *release) tree(dir, arch string) error {
	built, err := r.program(arch)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(built)
	if err != nil {
		return err
	}
	program := filepath.Join(dir, "bin", "opari")
	if err := write(program, text); err != nil {
		return err
	}
	if err := os.Chmod(program, 0o755); err != nil {
		return err
	}
	bin := filepath.Dir(program)
	if err := driver.InstallWrappers(program, bin, driver.Wrapped()); err != nil {
		return err
	}
	if err := buildfiles.Install(dir, r.version); err != nil {
		return err
	}
	host, err := r.program(runtime.GOARCH)
	if err != nil {
		return err
	}
	for shell, path := range map[string]string{
		"bash": "bash-completion/completions/opari",
		"zsh":  "zsh/site-functions/_opari",
		"fish": "fish/vendor_completions.d/opari.fish",
	} {
		text, err := r.command("", host, "completion", shell).Output()
		if err != nil {
			return fmt.Errorf("completion %s: %w", shell, err)
		}
		if err := write(filepath.Join(dir, "share", path), text); err != nil {
			return err
		}
	}
	if err := r.manual(filepath.Join(dir, "share", "man", "man1")); err != nil {
		return err
	}
	return r.documents(filepath.Join(dir, "share", "doc", "opari"), program)
}

// build builds opari for a processor. It is static, so it runs on any Linux.
func (r *release) build(path, arch string, flags ...string) error {
	ldflags := fmt.Sprintf("-s -w -X main.version=%s -X main.commit=%s", r.version, r.commit)
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags", ldflags}, flags...)
	cmd := r.command(r.root, "go", append(args, "-o", path, "./cmd/opari")...)
	cmd.Env = append(cmd.Env, "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch, "GOFLAGS=")
	return do(cmd)
}

// program returns the path of an opari for a processor, which it builds once.
func (r *release) program(arch string) (string, error) {
	path := filepath.Join(r.work, "program", arch, "opari")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return path, r.build(path, arch)
}

// manual writes the pages of the manual. Those of the wrappers are that of opari cc.
func (r *release) manual(dir string) error {
	path := filepath.Join(r.work, "opari-man")
	if _, err := os.Stat(path); err != nil {
		if err := r.build(path, runtime.GOARCH, "-tags", "man"); err != nil {
			return err
		}
	}
	if err := do(r.command("", path, "man", dir)); err != nil {
		return err
	}
	for _, compiler := range driver.Wrapped() {
		if compiler == "cc" {
			continue
		}
		if err := os.Symlink("opari-cc.1", filepath.Join(dir, "opari-"+compiler+".1")); err != nil {
			return err
		}
	}
	return nil
}

// documents copies the documents and the examples, and writes the licences of what the program
// contains.
func (r *release) documents(dir, program string) error {
	list, err := output(r.root, "git", "ls-files", "README.md", "CHANGELOG.md", "docs", "examples")
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(list, "\n") {
		text, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	text, err := r.licences(program)
	if err != nil {
		return err
	}
	return write(filepath.Join(dir, "third-party-licences.txt"), text)
}

func write(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}
