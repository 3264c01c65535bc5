# A recipe for Spack: put it into the folder packages/opari of a repository of yours.
import platform

from spack.package import *


class Opari(Package):
    """opari shows where OpenMP programs in C, C++ and Fortran lose time."""

    homepage = "@URL@"

    if platform.machine() == "aarch64":
        version("@VERSION@", url="@URL@/@NAME@-arm64.tar.gz", sha256="@SUM_arm64@")
    else:
        version("@VERSION@", url="@URL@/@NAME@-amd64.tar.gz", sha256="@SUM_amd64@")

    conflicts("platform=darwin", msg="opari needs Linux")
    conflicts("platform=windows", msg="opari needs Linux")

    def install(self, spec, prefix):
        install_tree(".", prefix)

    @run_after("install")
    def runs(self):
        Executable(self.prefix.bin.opari)("version")
