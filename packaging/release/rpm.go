package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// rpm writes a package for Fedora and its kin.
func (r *release) rpm(arch string) error {
	root, err := r.system("rpm", arch, filepath.Join("lib64", "pkgconfig"))
	if err != nil {
		return err
	}
	if _, err := normalize(root); err != nil {
		return err
	}
	p := processors[arch]
	top := filepath.Join(r.work, "rpmbuild", arch)
	spec := filepath.Join(r.root, "packaging", "rpm", "opari.spec")
	args := []string{
		"-bb", "--target", p.rpm + "-linux",
		"--define", "_topdir " + top,
		"--define", "opari_tree " + root,
		"--define", "opari_version " + strings.ReplaceAll(r.version, "-", "~"),
		"--define", "use_source_date_epoch_as_buildtime 1",
		"--define", "clamp_mtime_to_source_date_epoch 1",
		"--define", "_buildhost localhost",
		"--define", fmt.Sprintf("opari_date %s", r.time.Format("Mon Jan 02 2006")),
		spec,
	}
	if err := do(r.command("", "rpmbuild", args...)); err != nil {
		return err
	}
	made, err := filepath.Glob(filepath.Join(top, "RPMS", p.rpm, "*.rpm"))
	if err != nil || len(made) != 1 {
		return fmt.Errorf("rpmbuild made %v: %w", made, err)
	}
	text, err := os.ReadFile(made[0])
	if err != nil {
		return err
	}
	return write(filepath.Join(r.out, filepath.Base(made[0])), text)
}
