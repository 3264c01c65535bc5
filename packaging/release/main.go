// Command release makes what users install, from a checkout: tarballs with checksums and a list
// of what is in them, packages for Debian and Fedora, and the layout of a Go module proxy. The
// same commit gives the same bytes.
//
//	go run ./packaging/release -o dist dist
//	go run ./packaging/release -arch arm64 -o dist deb
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// release is what all products have in common.
type release struct {
	version string // such as 1.2 or 0.1-dev
	commit  string
	module  string    // the path that the module is published by
	url     string    // the folder that the tarballs are published in
	time    time.Time // of all files: that of the commit
	root    string    // the checkout
	out     string    // the folder of the products
	work    string    // a temporary folder
}

// arches are the processors that there are products for, by Go's names.
var arches = []string{"amd64", "arm64"}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release: error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var r release
	var arch string
	fs := flag.NewFlagSet("release", flag.ExitOnError)
	fs.StringVar(&r.version, "version", "0.1-dev", "the version")
	fs.StringVar(&r.module, "module", "", "proxy: the path that the module is published by, "+
		"such as example.org/opari")
	fs.StringVar(&r.url, "url", "", "recipes: the folder in which the tarballs are published")
	fs.StringVar(&r.out, "o", "dist", "the folder of the products")
	fs.StringVar(&arch, "arch", "", "the processor: amd64 or arm64 (default: both)")
	fs.Usage = func() {
		fmt.Fprintln(fs.Output(), "usage: release [flags] dist|deb|rpm|proxy|recipes...")
		fs.PrintDefaults()
	}
	_ = fs.Parse(args) // it exits
	of := arches
	if arch != "" {
		of = []string{arch}
	}
	if err := r.find(); err != nil {
		return err
	}
	var err error
	if r.work, err = os.MkdirTemp("", "opari-release-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	for _, product := range fs.Args() {
		switch product {
		case "dist":
			err = r.dist(of)
		case "deb":
			err = r.each(of, r.deb)
		case "rpm":
			err = r.each(of, r.rpm)
		case "proxy":
			err = r.proxy()
		case "recipes":
			err = r.recipes()
		default:
			err = fmt.Errorf("%s is no product; say dist, deb, rpm, proxy or recipes", product)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// find looks for the checkout and its commit.
func (r *release) find() error {
	root, err := output("", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	r.root = root
	if r.commit, err = output(root, "git", "rev-parse", "HEAD"); err != nil {
		return err
	}
	if changed, err := output(root, "git", "status", "--porcelain", "-uno"); err != nil {
		return err
	} else if changed != "" {
		r.commit += "+"
	}
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		if epoch, err = output(root, "git", "log", "-1", "--format=%ct"); err != nil {
			return err
		}
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	r.time = time.Unix(seconds, 0).UTC()
	if r.out, err = filepath.Abs(r.out); err != nil {
		return err
	}
	return os.MkdirAll(r.out, 0o777)
}

func (r *release) each(arches []string, make func(arch string) error) error {
	for _, arch := range arches {
		if err := make(arch); err != nil {
			return fmt.Errorf("%s: %w", arch, err)
		}
	}
	return nil
}

// command returns a command in dir whose output depends on the commit alone.
func (r *release) command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC",
		fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.time.Unix()))
	return cmd
}

// do runs a command and returns its output in the error if it fails.
func do(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}

// output returns what a command in dir prints, without the end of the line.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
