// Package offload has an offload device for GCC's runtime, for tests. It is a plugin of libgomp
// whose devices have memory of their own and run kernels on the host's processor. The package
// also has a program that builds images for the device, in place of an offload compiler.
package offload

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed device/plugin.c
var plugin []byte

//go:embed device/mkoffload.sh
var mkoffload []byte

// Device is a folder with the plugin and the image builder.
type Device struct{ dir string }

// Build builds the plugin and the image builder in dir.
func Build(dir string) (Device, error) {
	image := filepath.Join(dir, "accel", "nvptx-none")
	if err := os.MkdirAll(image, 0o755); err != nil {
		return Device{}, err
	}
	source := filepath.Join(dir, "plugin.c")
	if err := os.WriteFile(source, plugin, 0o644); err != nil {
		return Device{}, err
	}
	if err := os.WriteFile(filepath.Join(image, "mkoffload"), mkoffload, 0o755); err != nil {
		return Device{}, err
	}
	out, err := exec.Command("gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC",
		"-shared", "-fvisibility=hidden", source,
		"-o", filepath.Join(dir, "libgomp-plugin-nvptx.so.1"), "-l:libgomp.so.1",
		"-pthread").CombinedOutput()
	if err != nil {
		return Device{}, fmt.Errorf("%w: %s", err, out)
	}
	return Device{dir}, nil
}

// Flags returns the options for compiling and linking a program with target regions for the
// device.
func (d Device) Flags() []string {
	return []string{"-fPIC", "-B" + d.dir, "-foffload=nvptx-none", "-Wl,--no-warnings"}
}

// Env returns the environment in which a program finds this many devices. A device writes a line to
// the file log, unless log is empty, for each operation:
//
//	alloc DEVICE ADDRESS BYTES
//	free DEVICE ADDRESS BYTES
//	to DEVICE ADDRESS HOST BYTES
//	from DEVICE HOST ADDRESS BYTES
//	within DEVICE TO FROM BYTES
//	run DEVICE KERNEL, ran DEVICE KERNEL
func (d Device) Env(devices int, log string) []string {
	env := []string{"LD_LIBRARY_PATH=" + d.dir, fmt.Sprintf("OPARI_DEVICES=%d", devices)}
	if log != "" {
		env = append(env, "OPARI_DEVICE_LOG="+log)
	}
	return env
}
