package sampling

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// facts returns properties of the machine that bear on a program's threads, as key=value.
func facts(at string) string {
	all := []string{"at=" + at}
	add := func(key, value string) {
		if value != "" {
			all = append(all, key+"="+value)
		}
	}
	if cores, err := online(); err == nil {
		add("cores", strconv.Itoa(len(cores)))
	}
	add("allowed", numbers(allowedOn(0)))
	groups := controlGroups("/proc/self/cgroup")
	if quota := groups.quota(); quota > 0 {
		add("quota", strconv.FormatFloat(quota, 'f', -1, 64))
	} else {
		add("quota", "none")
	}
	add("throttled", groups.throttled())
	add("governor", firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))
	if load := strings.Fields(firstLine("/proc/loadavg")); len(load) > 3 {
		add("load", load[0])
		running, _, _ := strings.Cut(load[3], "/")
		add("running", running)
	}
	add("stolen", stolen())
	add("kernel", release())
	add("processor", runtime.GOARCH)
	return strings.Join(all, " ")
}

func numbers(all []int) string {
	var text []string
	for _, n := range all {
		text = append(text, strconv.Itoa(n))
	}
	return strings.Join(text, ",")
}

func firstLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}

func release() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Release[:])
}

// stolen returns the ms that the machine's host gave to others, over all processors.
func stolen() string {
	fields := strings.Fields(firstLine("/proc/stat"))
	const steal = 8
	if len(fields) <= steal {
		return ""
	}
	ticks, err := strconv.ParseUint(fields[steal], 10, 64)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%dms", ticks*10)
}

// groups are the folders of this process's control groups for processor time, the own one first
// and the root last.
type groups []string

// controlGroups reads a file like /proc/self/cgroup.
func controlGroups(path string) groups {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	var all groups
	for lines := bufio.NewScanner(f); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), ":", 3)
		if len(parts) != 3 {
			continue
		}
		root := "/sys/fs/cgroup"
		switch {
		case parts[1] == "":
		case strings.Contains(","+parts[1]+",", ",cpu,"):
			root = filepath.Join(root, parts[1])
			if _, err := os.Stat(root); err != nil {
				root = "/sys/fs/cgroup/cpu"
			}
		default:
			continue
		}
		for folder := filepath.Clean(parts[2]); ; folder = filepath.Dir(folder) {
			all = append(all, filepath.Join(root, folder))
			if folder == "/" || folder == "." {
				break
			}
		}
	}
	return all
}

// quota returns how many processors the groups may use at a time; 0: as many as there are.
func (g groups) quota() float64 {
	least := 0.0
	for _, folder := range g {
		limit, period := "", ""
		if both := strings.Fields(firstLine(filepath.Join(folder, "cpu.max"))); len(both) == 2 {
			limit, period = both[0], both[1]
		} else {
			limit = firstLine(filepath.Join(folder, "cpu.cfs_quota_us"))
			period = firstLine(filepath.Join(folder, "cpu.cfs_period_us"))
		}
		a, bad := strconv.ParseFloat(limit, 64)
		b, worse := strconv.ParseFloat(period, 64)
		if bad == nil && worse == nil && a > 0 && b > 0 && (least == 0 || a/b < least) {
			least = a / b
		}
	}
	return least
}

// throttled returns how long the own group had to pause for its quota.
func (g groups) throttled() string {
	for _, folder := range g {
		text, err := os.ReadFile(filepath.Join(folder, "cpu.stat"))
		if err != nil {
			continue
		}
		for _, line := range strings.Split(string(text), "\n") {
			key, value, _ := strings.Cut(line, " ")
			n, err := strconv.ParseUint(value, 10, 64)
			switch {
			case err != nil:
			case key == "throttled_usec":
				return fmt.Sprintf("%dms", n/1000)
			case key == "throttled_time":
				return fmt.Sprintf("%dms", n/1e6)
			}
		}
		return ""
	}
	return ""
}

// online returns the numbers of the processors that are on line.
func online() ([]int, error) {
	const path = "/sys/devices/system/cpu/online"
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := processorList(strings.TrimSpace(string(text)))
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no processors in %q", path, text)
	}
	return all, nil
}

// processorList reads a list such as 0-3,8.
func processorList(text string) []int {
	var all []int
	for _, part := range strings.Split(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if isRange && err == nil {
			to, err = strconv.Atoi(last)
		}
		if err != nil || to-from > 1<<16 {
			return nil
		}
		for ; from <= to; from++ {
			all = append(all, from)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
