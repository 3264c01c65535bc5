# Reads Debian's source packages; a part of scripts/real-program.sh and scripts/real-suites.sh,
# which set $work.
# shellcheck shell=bash
cache=${OPARI_CORPUS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/opari/corpus}/real

# fetch PACKAGE: unpacks its original source into $work/PACKAGE. apt is given source entries of
# its own, so that the machine's configuration stays as it is.
fetch() {
    local package=$1 apt=$cache/apt log=${work:?}/apt.log
    if ! compgen -G "$cache/$package"'_*.orig.tar.*' >/dev/null; then
        mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial"
        sed -s 's/^Types: .*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources \
            >"$apt/parts/source.sources" 2>/dev/null ||
            sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$apt/parts/source.list"
        cat >"$apt/apt.conf" <<CONF
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt/parts";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt/cache";
APT::Sandbox::User "root";
CONF
        export APT_CONFIG=$apt/apt.conf
        local try
        for try in 1 2; do
            (cd "$cache" && apt-get -qq update &&
                apt-get -qq source --download-only --tar-only "$package") >"$log" 2>&1 && break
            [ $try = 1 ] || { cat "$log" >&2; return 1; }
        done
        unset APT_CONFIG
    fi
    mkdir "$work/$package"
    tar -xf "$(compgen -G "$cache/$package"'_*.orig.tar.*' | grep -v '\.asc$' | head -n 1)" \
        -C "$work/$package" --strip-components=1
}

# configure_graphicsmagick leaves out all that needs other libraries.
configure_graphicsmagick() {
    ./configure --enable-openmp --disable-shared --without-magick-plus-plus --without-perl \
        --without-x --without-threads --without-bzlib --without-gs --without-heif --without-jbig \
        --without-webp --without-jpeg --without-jp2 --without-lcms2 --without-lzma --without-png \
        --without-tiff --without-ttf --without-wmf --without-xml --without-zlib --without-zstd \
        --without-libzip
}
