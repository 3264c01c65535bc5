/* Feeds libimagequant a picture that needs no file, and prints what comes out: the palette and a
 * checksum of the pixels. */
#include <stdio.h>
#include <stdlib.h>
#include "libimagequant.h"

enum { WIDTH = 640, HEIGHT = 480 };

int main(void)
{
    unsigned char *rgba = malloc(WIDTH * HEIGHT * 4), *out = malloc(WIDTH * HEIGHT);
    if (!rgba || !out)
        return 1;
    unsigned seed = 12345;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            unsigned char *p = rgba + 4 * (y * WIDTH + x);
            seed = seed * 1664525u + 1013904223u;
            p[0] = (unsigned char)(x * 255 / WIDTH);
            p[1] = (unsigned char)(y * 255 / HEIGHT);
            p[2] = (unsigned char)((x * y / 97) ^ (seed >> 28));
            p[3] = (unsigned char)(x > 600 ? y % 256 : 255);
        }
    liq_attr *attr = liq_attr_create();
    liq_image *image = liq_image_create_rgba(attr, rgba, WIDTH, HEIGHT, 0);
    liq_result *result = NULL;
    if (liq_image_quantize(image, attr, &result) != LIQ_OK)
        return 1;
    liq_set_dithering_level(result, 1.0f);
    if (liq_write_remapped_image(result, image, out, WIDTH * HEIGHT) != LIQ_OK)
        return 1;
    const liq_palette *palette = liq_get_palette(result);
    for (unsigned i = 0; i < palette->count; i++)
        printf("%3u %3d %3d %3d %3d\n", i, palette->entries[i].r, palette->entries[i].g,
               palette->entries[i].b, palette->entries[i].a);
    unsigned long sum = 5381;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        sum = (sum * 33 + out[i]) & 0xffffffffUL;
    printf("checksum %08lx\n", sum);
    liq_result_destroy(result);
    liq_image_destroy(image);
    liq_attr_destroy(attr);
    free(rgba);
    free(out);
    return 0;
}
