package page

import (
	"math"
	"regexp"
	"strconv"
	"testing"
)

// visions has kinds of colour vision as matrices over linear red, green and blue. The source is
// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color
// Vision Deficiency", 2009, severity 1.
var visions = map[string][9]float64{
	"all colours": {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia": {
		0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882,
		-0.048116, 1.051998,
	},
	"deuteranopia": {
		0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881,
	},
	"tritanopia": {
		1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733,
		0.691367, 0.303900,
	},
}

// lab converts a colour as a kind of vision sees it to CIE 1976 L*a*b* with white D65.
func lab(hex string, vision [9]float64) (out [3]float64) {
	var linear, seen [3]float64
	for i := range linear {
		v, _ := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if c := float64(v) / 255; c <= 0.04045 {
			linear[i] = c / 12.92
		} else {
			linear[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	for i := range seen {
		for j := range linear {
			seen[i] += vision[3*i+j] * linear[j]
		}
		seen[i] = min(1, max(0, seen[i]))
	}
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x := f((0.4124*seen[0] + 0.3576*seen[1] + 0.1805*seen[2]) / 0.9505)
	y := f(0.2126*seen[0] + 0.7152*seen[1] + 0.0722*seen[2])
	z := f((0.0193*seen[0] + 0.1192*seen[1] + 0.9505*seen[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// leastDistance is the least distance of two adjacent colours that readers must distinguish, in
// units of L*a*b*. A distance of 2.3 is just noticeable.
const leastDistance = 12

// TestColours checks that everyone can distinguish the states and properties, on light and on
// dark. The scale of weights rises in lightness.
func TestColours(t *testing.T) {
	style, err := pageFiles.ReadFile("browser/page.css")
	if err != nil {
		t.Fatal(err)
	}
	colours := map[string][2]string{}
	for _, m := range regexp.MustCompile(
		`--(\w+): light-dark\(#(\w{6}), #(\w{6})\);`).FindAllSubmatch(style, -1) {
		colours[string(m[1])] = [2]string{string(m[2]), string(m[3])}
	}
	names := []string{
		"panel", "idle", "serial", "work", "task", "fork", "barrier", "mutex",
		"tasks", "mpi", "preempted", "blocked",
	}
	for scheme, at := range map[string]int{"light": 0, "dark": 1} {
		for vision, matrix := range visions {
			for i, a := range names {
				if len(colours[a][at]) != 6 {
					t.Fatalf("no colour %s", a)
				}
				for _, b := range names[:i] {
					p, q := lab(colours[a][at], matrix), lab(colours[b][at], matrix)
					if d := math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]),
						p[2]-q[2]); d < leastDistance {
						t.Errorf("%s, %s: %s and %s are %.1f apart", scheme, vision, a, b, d)
					}
				}
			}
			for i := range 3 {
				p, q := lab(colours["ramp"+strconv.Itoa(i)][at], matrix)[0],
					lab(colours["ramp"+strconv.Itoa(i+1)][at], matrix)[0]
				if rises := q - p; (at == 0) == (rises > 0) || math.Abs(rises) < 5 {
					t.Errorf("%s, %s: weight %d has lightness %.0f, the next %.0f", scheme,
						vision, i, p, q)
				}
			}
		}
	}
}
