# A formula for Homebrew on Linux.
class Opari < Formula
  desc "See where OpenMP programs lose time"
  homepage "@URL@"
  version "@VERSION@"

  on_intel do
    url "@URL@/@NAME@-amd64.tar.gz"
    sha256 "@SUM_amd64@"
  end
  on_arm do
    url "@URL@/@NAME@-arm64.tar.gz"
    sha256 "@SUM_arm64@"
  end

  depends_on :linux

  def install
    prefix.install "bin", "lib", "share"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/opari version")
  end
end
