package main

import (
	"bytes"
	"compress/gzip"
	"debug/elf"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"opari/internal/driver"
)

// processor is what the names of a processor are elsewhere.
type processor struct {
	debian, rpm, triplet string
}

var processors = map[string]processor{
	"amd64": {"amd64", "x86_64", "x86_64-linux-gnu"},
	"arm64": {"arm64", "aarch64", "aarch64-linux-gnu"},
}

var (
	//go:embed files/copyright
	copyrightText []byte
	//go:embed files/lintian-overrides
	lintianOverrides []byte
)

const (
	maintainer  = "The authors of opari <opari@opari.invalid>"
	summary     = "see where OpenMP programs lose time"
	description = `opari puts calls around every OpenMP construct of a program in C, C++ or
Fortran, source to source, so it works with any compiler. A measurement
library behind these calls finds out how long the work took, and how long
threads waited. Reports name the line, the cause, and what to try.`
)

// system makes the tree of a package of a kind: that of a prefix in /usr, with the measurement
// library for the system's compiler. pkgconfig is the folder for pomp.pc.
func (r *release) system(kind, arch, pkgconfig string) (string, error) {
	p, ok := processors[arch]
	if !ok {
		return "", fmt.Errorf("there are packages for amd64 and arm64 only")
	}
	usr := filepath.Join(r.work, kind, arch, "usr")
	if err := r.tree(usr, arch); err != nil {
		return "", err
	}
	compiler := p.triplet + "-gcc"
	if _, err := exec.LookPath(compiler); err != nil {
		return "", err
	}
	host, err := r.program(runtime.GOARCH)
	if err != nil {
		return "", err
	}
	built := filepath.Join(r.work, "library", arch)
	if err := do(r.command("", host, "install", "--prefix", built, "--cc", compiler,
		"--mpicc", "-")); err != nil {
		return "", err
	}
	for from, to := range map[string]string{
		"lib/libpomp.a": "lib/opari", "lib/libpomp_gomp.a": "lib/opari",
		"lib/libpomp.so": "lib/opari", "lib/pomp.list": "lib/opari",
		"include/pomp_lib.h": "include/opari", "include/pomp_events.h": "include/opari",
		"include/pomp_messages.h": "include/opari", "include/omp_control.h": "include/opari",
	} {
		text, err := os.ReadFile(filepath.Join(built, from))
		if err != nil {
			return "", err
		}
		if err := write(filepath.Join(usr, to, filepath.Base(from)), text); err != nil {
			return "", err
		}
	}
	if err := do(r.command("", p.triplet+"-strip", "--strip-unneeded",
		filepath.Join(usr, "lib", "opari", "libpomp.so"))); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(built, "lib", "pkgconfig", "pomp.pc"))
	if err != nil {
		return "", err
	}
	placed := strings.NewReplacer(
		"prefix="+built, "prefix=/usr", "${prefix}/lib", "${prefix}/lib/opari",
		"${prefix}/include", "${prefix}/include/opari",
	).Replace(string(text))
	if err := write(filepath.Join(usr, pkgconfig, "pomp.pc"), []byte(placed)); err != nil {
		return "", err
	}
	// No link into a folder of the machine that made the package.
	for _, c := range driver.Wrapped() {
		if to, err := os.Readlink(filepath.Join(usr, "bin", "opari-"+c)); err != nil ||
			to != "opari" {
			return "", fmt.Errorf("opari-%s leads to %s: %w", c, to, errors.Join(err))
		}
	}
	return filepath.Dir(usr), nil
}

// deb writes a package for Debian.
func (r *release) deb(arch string) error {
	p := processors[arch]
	root, err := r.system("deb", arch, filepath.Join("lib", p.triplet, "pkgconfig"))
	if err != nil {
		return err
	}
	version := strings.ReplaceAll(r.version, "-", "~")
	usr := filepath.Join(root, "usr")
	share := filepath.Join(usr, "share")
	doc := filepath.Join(share, "doc", "opari")
	if err := os.MkdirAll(filepath.Join(share, "zsh", "vendor-completions"), 0o777); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(share, "zsh", "site-functions", "_opari"),
		filepath.Join(share, "zsh", "vendor-completions", "_opari")); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(share, "zsh", "site-functions")); err != nil {
		return err
	}
	if err := packPages(filepath.Join(share, "man", "man1")); err != nil {
		return err
	}
	// Debian's changelog is one of its packages. opari's own is beside it.
	changes := fmt.Sprintf("opari (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n"+
		" -- %s  %s\n", version, maintainer, r.time.Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	for path, text := range map[string][]byte{
		filepath.Join(doc, "changelog.gz"):                    packed([]byte(changes)),
		filepath.Join(doc, "copyright"):                       copyrightText,
		filepath.Join(share, "lintian", "overrides", "opari"): lintianOverrides,
	} {
		if err := write(path, text); err != nil {
			return err
		}
	}
	size, err := normalize(root)
	if err != nil {
		return err
	}
	libc, err := needsLibc(filepath.Join(usr, "lib", "opari", "libpomp.so"))
	if err != nil {
		return err
	}
	control := fmt.Sprintf(`Package: opari
Version: %s
Architecture: %s
Maintainer: %s
Installed-Size: %d
Depends: libc6 (>= %s)
Recommends: gcc, libc6-dev
Suggests: g++, gfortran, pkg-config, cmake
Section: devel
Priority: optional
Description: %s
 %s
`, version, p.debian, maintainer, (size+1023)/1024, libc, summary,
		strings.ReplaceAll(description, "\n", "\n "))
	if err := write(filepath.Join(root, "DEBIAN", "control"), []byte(control)); err != nil {
		return err
	}
	sums := r.command(root, "sh", "-c",
		"find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums")
	if err := do(sums); err != nil {
		return err
	}
	if _, err := normalize(filepath.Join(root, "DEBIAN")); err != nil {
		return err
	}
	file := filepath.Join(r.out, fmt.Sprintf("opari_%s_%s.deb", version, p.debian))
	return do(r.command("", "dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, file))
}

// needsLibc returns the oldest version of the C library that a shared library runs with.
func needsLibc(library string) (string, error) {
	f, err := elf.Open(library)
	if err != nil {
		return "", err
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return "", err
	}
	newest := [2]int{}
	for _, s := range symbols {
		var v [2]int
		if n, _ := fmt.Sscanf(s.Version, "GLIBC_%d.%d", &v[0], &v[1]); n == 2 &&
			slices.Compare(v[:], newest[:]) > 0 {
			newest = v
		}
	}
	if newest[0] == 0 {
		return "", fmt.Errorf("%s names no version of the C library", library)
	}
	return fmt.Sprintf("%d.%d", newest[0], newest[1]), nil
}

// normalize gives all files below dir the modes that packages have, whatever the umask, and
// returns how many bytes they take.
func normalize(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		// A shared library is no program.
		if d.IsDir() || info.Mode()&0o111 != 0 && filepath.Ext(path) != ".so" {
			mode = 0o755
		}
		if !d.IsDir() {
			size += info.Size()
		}
		return os.Chmod(path, mode)
	})
	return size, err
}

// packPages compresses the pages of the manual, as Debian has them.
func packPages(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if to, err := os.Readlink(path); err == nil {
			err = os.Symlink(to+".gz", path+".gz")
			if err != nil {
				return err
			}
		} else {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if err := write(path+".gz", packed(text)); err != nil {
				return err
			}
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// packed returns a text as gzip -9n has it: without name and time.
func packed(text []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = w.Write(text)                                  // a buffer takes all
	_ = w.Close()
	return b.Bytes()
}
