package analysis

import "testing"

func TestNumbers(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0", 1: "1ns", 999: "999ns", 1000: "1.00us", 9994: "9.99us", 9996: "10.0us",
		99949: "99.9us", 99960: "100us",
		999499: "999us", 999500: "1.00ms", 1234567: "1.23ms", 999_500_000: "1.00s",
		123_456_789_012:   "123s",
		9_999_400_000_000: "9999s", 10_000_000_000_000: "2.78h", 3_600_000_000_000_000: "1000h",
	} {
		if got := Duration(ns); got != want || len(got) > 6 {
			t.Errorf("%d ns: %s, want %s", ns, got, want)
		}
	}
	for n, want := range map[int64]string{
		0: "0", 999999: "999999", 1000000: "1.00M",
		123456789: "123M", 999_500_000: "1.00G", 1e15: "1000T",
	} {
		if got := Count(n); got != want || len(got) > 6 {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
