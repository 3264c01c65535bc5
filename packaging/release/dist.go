package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// dist writes for each processor a tarball and the list of what is in its program, and the
// checksums of all of them.
func (r *release) dist(arches []string) error {
	var sums bytes.Buffer
	for _, arch := range arches {
		name := fmt.Sprintf("opari-%s-linux-%s", r.version, arch)
		dir := filepath.Join(r.work, "dist", name)
		if err := r.tree(dir, arch); err != nil {
			return err
		}
		contents, err := r.contents(name, filepath.Join(dir, "bin", "opari"))
		if err != nil {
			return err
		}
		var archive bytes.Buffer
		if err := r.tarball(&archive, dir, name); err != nil {
			return err
		}
		for _, product := range []struct {
			name string
			text []byte
		}{{name + ".tar.gz", archive.Bytes()}, {name + ".spdx.json", contents}} {
			if err := write(filepath.Join(r.out, product.name), product.text); err != nil {
				return err
			}
			fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(product.text), product.name)
		}
	}
	return write(filepath.Join(r.out, "SHA256SUMS"), sums.Bytes())
}

// tarball writes the folder dir as a folder called name. Order, times, owners and modes do not
// depend on the machine.
func (r *release) tarball(w io.Writer, dir, name string) error {
	zipped, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(zipped)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inner, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		h := &tar.Header{
			Name: filepath.ToSlash(filepath.Join(name, inner)), ModTime: r.time,
			Format: tar.FormatUSTAR, Mode: 0o644, Typeflag: tar.TypeReg,
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() || info.Mode()&0o111 != 0 {
			h.Mode = 0o755
		}
		var text []byte
		switch {
		case d.IsDir():
			h.Name, h.Typeflag = h.Name+"/", tar.TypeDir
		case d.Type()&fs.ModeSymlink != 0:
			h.Typeflag, h.Mode = tar.TypeSymlink, 0o777
			h.Linkname, err = os.Readlink(path)
		default:
			text, err = os.ReadFile(path)
			h.Size = int64(len(text))
		}
		if err != nil {
			return err
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		_, err = t.Write(text)
		return err
	})
	if err == nil {
		err = t.Close()
	}
	if err == nil {
		err = zipped.Close()
	}
	return err
}
