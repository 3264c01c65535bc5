#!/bin/sh
# mkoffload: GCC's lto-wrapper calls this for the offload compiler's work. From objects with
# position-independent code of this processor it makes an image for the device of plugin.c, and an
# object that registers the image with the runtime. The image is a second copy of the program. It
# has the target regions and its own copies of all variables in the order of the host's table.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case ${1-} in
@*) eval "set -- $(tr '\n' ' ' <"${1#@}")" ;;
esac
out='' n=0
while [ $# -gt 0 ]; do
    case $1 in
    -o)
        out=$2
        shift
        ;;
    -dumpbase | -dumpdir) shift ;;
    *.o) # initializers and finalizers run only on the host
        n=$((n + 1))
        objcopy --remove-section='.init_array*' --remove-section='.fini_array*' \
            --remove-section='.ctors*' --remove-section='.rela.init_array*' \
            --remove-section='.rela.fini_array*' --remove-section='.gnu.offload_lto_*' \
            "$1" "$work/$(printf %04d $n).o"
        ;;
    esac
    shift
done
cat >"$work/device.c" <<'C'
extern const void *const __OFFLOAD_TABLE__[] __attribute__((visibility("hidden")));
__attribute__((visibility("default"))) const void *opari_device_table[4];
__attribute__((visibility("default"))) int opari_device_number;
__attribute__((constructor)) static void table(void)
{
    for (int i = 0; i < 4; i++)
        opari_device_table[i] = __OFFLOAD_TABLE__[i];
}
int omp_is_initial_device(void) { return 0; }
int omp_is_initial_device_(void) { return 0; }
int omp_get_device_num(void) { return opari_device_number; }
int omp_get_device_num_(void) { return opari_device_number; }
C
cat >"$work/host.c" <<C
extern const void *const __OFFLOAD_TABLE__[] __attribute__((visibility("hidden")));
extern void GOMP_offload_register_ver(unsigned, const void *, int, const void *);
extern void GOMP_offload_unregister_ver(unsigned, const void *, int, const void *);
__asm__(".section .rodata\\nopari_image:\\n"
        ".incbin \\"$work/image.so\\"\\nopari_image_end:\\n.previous");
extern const char opari_image[], opari_image_end[];
static const char *const image[] = {opari_image, opari_image_end};
__attribute__((constructor)) static void there(void)
{
    GOMP_offload_register_ver(1 << 16 | 1, __OFFLOAD_TABLE__, 5, image);
}
__attribute__((destructor)) static void gone(void)
{
    GOMP_offload_unregister_ver(1 << 16 | 1, __OFFLOAD_TABLE__, 5, image);
}
C
# Without -x c a C++ compiler takes C for C++.
part() { "$COLLECT_GCC" -print-file-name="crtoffload$1.o"; }
before=$(part begin) behind=$(part end) table=$(part table)
unset COLLECT_GCC_OPTIONS COLLECT_LTO_WRAPPER COMPILER_PATH LIBRARY_PATH
unset OFFLOAD_TARGET_NAMES OFFLOAD_TARGET_DEFAULT
"$COLLECT_GCC" -x c -O1 -fPIC -c "$work/device.c" -o "$work/device.o"
"$COLLECT_GCC" -shared -Wl,-Bsymbolic "$before" "$work"/0*.o "$work/device.o" "$table" "$behind" \
    -Wl,--as-needed -l:libgomp.so.1 -lm -o "$work/image.so"
"$COLLECT_GCC" -x c -fPIC -c "$work/host.c" -o "$out"
