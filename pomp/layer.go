package pomp

import (
	"os"
	"path/filepath"
	"slices"
)

// Headers returns the public headers by name. It includes pomp_environment.h, by which the layers
// on top of the library read the environment.
func Headers() (map[string][]byte, error) {
	files, err := sourceFiles()
	if err != nil {
		return nil, err
	}
	public := map[string][]byte{}
	for _, h := range append(headers, "pomp_environment.h") {
		public[h] = files["pomp/src/"+h]
	}
	return public, nil
}

// BuildLayer builds a layer on top of the library, such as that of MPI, from its own sources. It
// returns a folder with an archive lib/NAME for compiler cc. The archive has one object for each
// of units, which are among files. Like Build, it builds in dir, unless the archive is there
// already.
func BuildLayer(cc []string, dir, name string, files map[string][]byte,
	units []string,
) (string, error) {
	return build(cc, dir, product{
		files: files, identity: "layer " + name, results: []string{"lib/" + name},
		compile: func(cc []string, work, out string, files map[string][]byte) error {
			if err := writeFiles(work, files); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Join(out, "lib"), 0o700); err != nil {
				return err
			}
			for _, u := range units {
				object := filepath.Join(work, u+".o")
				words := slices.Concat(cc[1:], compileFlags,
					[]string{"-c", filepath.Join(work, u), "-o", object})
				if err := run(cc[0], words...); err != nil {
					return err
				}
				if err := archive(cc, filepath.Join(out, "lib", name), object); err != nil {
					return err
				}
			}
			return nil
		},
	})
}
