// Package buildfiles has the files by which build systems find opari: a package and a toolchain
// file for CMake, and a native file for Meson.
package buildfiles

import (
	_ "embed"
	"path/filepath"
	"strings"

	"opari/pomp"
)

var (
	//go:embed files/opari-config.cmake
	config string
	//go:embed files/toolchain.cmake
	toolchain string
	//go:embed files/native.ini
	native string
)

// Install writes the files below prefix: lib/cmake/opari for find_package(opari), and those of
// share/opari, which users name. version is the one that find_package compares.
func Install(prefix, version string) error {
	for name, text := range map[string]string{
		"lib/cmake/opari/opari-config.cmake":         config,
		"lib/cmake/opari/opari-config-version.cmake": versionFile(version),
		"share/opari/opari-toolchain.cmake":          toolchain,
		"share/opari/opari-native.ini":               native,
	} {
		if err := pomp.InstallFile(filepath.Join(prefix, filepath.FromSlash(name)),
			[]byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// versionFile answers find_package(opari VERSION): any version from the one asked for on. CMake
// compares numbers, so what follows them, as in 0.1-dev, is left out.
func versionFile(version string) string {
	if i := strings.IndexFunc(version, func(r rune) bool {
		return r != '.' && (r < '0' || r > '9')
	}); i >= 0 {
		version = version[:i]
	}
	return `set(PACKAGE_VERSION "` + version + `")
if(NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
`
}
