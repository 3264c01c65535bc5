package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"opari/internal/analysis"
	"opari/internal/browser"
	"opari/internal/omp"
	"opari/internal/report/page"
)

// page measures the HTML report of a run with so many intervals in a headless Chromium. It prints
// the time from the start of loading until the page is usable, and the time to draw a frame of
// the timeline while zooming and moving.
func (s *setting) page(rounds, intervals int) error {
	file := filepath.Join(s.work, "report.html")
	start := time.Now()
	r, t := manyIntervals(intervals)
	made := time.Since(start)
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	start = time.Now()
	if err := page.Write(f, r, t, nil); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	wrote := time.Since(start)
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	fmt.Printf("\npage: %d intervals of %d threads, %d kept; gathered in %.2f s, written in %.2f "+
		"s, %.1f MB\n",
		intervals, len(r.Threads), t.Kept(), made.Seconds(), wrote.Seconds(),
		float64(info.Size())/1e6)
	b, err := browser.Start()
	if err != nil {
		return err
	}
	defer b.Close()
	var loads, busy []float64
	var p *browser.Page
	for range rounds {
		if p != nil {
			if err := p.Close(); err != nil {
				return err
			}
		}
		if p, err = b.Open("file://"+file, 1600, 1000); err != nil {
			return err
		}
		if err := p.Wait("document.documentElement.dataset.ready", time.Minute); err != nil {
			return err
		}
		var ms float64
		if err := p.Eval("Number(document.documentElement.dataset.ready)", &ms); err != nil {
			return err
		}
		loads = append(loads, ms)
		cpu, err := p.Busy()
		if err != nil {
			return err
		}
		busy = append(busy, 1000*cpu)
	}
	slices.Sort(loads)
	slices.Sort(busy)
	fmt.Printf("  ready after %.0f ms (median of %d, %0.f to %.0f); the page's thread has used "+
		"%.0f ms of a processor\n",
		loads[len(loads)/2], rounds, loads[0], loads[len(loads)-1], busy[len(busy)/2])
	return frames(p)
}

// frames measures frames: the time in the page's own code, and the browser's time from one frame
// to the next.
func frames(p *browser.Page) error {
	for _, w := range []struct{ name, act string }{
		{
			"zoom in and out",
			`canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: i % 160 < 80 ? -40 : 40, clientX: box.x + box.width * 0.6, clientY: box.y + 60, cancelable: true }))`,
		},
		{
			"move, half in view",
			`if (!i) document.querySelector("#zoom-in").click(); canvas.dispatchEvent(new WheelEvent("wheel", { deltaX: i % 80 < 40 ? 5 : -5, clientX: box.x + box.width * 0.6, clientY: box.y + 60, cancelable: true }))`,
		},
		{"search", `(() => { const s = document.querySelector("#search"); s.value = i % 40 < 20 ? "critical" : "for"; s.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" })); })()`},
	} {
		var got struct {
			Own   []float64 `json:"own"`
			Frame []float64 `json:"frame"`
		}
		before, err := p.Busy()
		if err != nil {
			return err
		}
		err = p.Eval(`(async () => {
			const canvas = document.querySelector("#canvas"), box = canvas.getBoundingClientRect();
			const own = [], frame = [];
			const next = () => new Promise(requestAnimationFrame);
			let before = await next();
			for (let i = 0; i < 160; i++) {
				`+w.act+`;
				const now = await next(); // after the timeline's own, which was requested earlier
				own.push(Number(canvas.dataset.frame));
				frame.push(now - before);
				before = now;
			}
			document.querySelector("#search").value = "";
			document.querySelector("#zoom-all").click();
			return { own, frame };
		})()`, &got)
		if err != nil {
			return err
		}
		after, err := p.Busy()
		if err != nil {
			return err
		}
		slices.Sort(got.Own)
		slices.Sort(got.Frame)
		at := func(v []float64, part float64) float64 { return v[int(part*float64(len(v)-1))] }
		fmt.Printf("  %-18s a frame: %.1f ms of a processor; by the clock %.1f ms to draw (95th "+
			"percentile %.1f); from frame to frame %.1f ms (95th percentile %.1f)\n",
			w.name, 1000*(after-before)/float64(len(got.Own)), at(got.Own, 0.5), at(got.Own, 0.95),
			at(got.Frame, 0.5), at(got.Frame, 0.95))
	}
	return nil
}

// manyIntervals makes a run of 16 threads, with loops, criticals, barriers and tasks whose
// lengths vary by a factor of a thousand.
func manyIntervals(n int) (*analysis.Result, *page.Timeline) {
	const workers = 16
	threads := make([]analysis.Thread, workers)
	for i := range threads {
		threads[i].Name = fmt.Sprintf("thread %d", i)
	}
	random := rand.New(rand.NewPCG(1, 2))
	t := page.NewTimeline(page.TimelineLimit)
	t.PageSize = page.PageSize
	var paths []*analysis.Path
	r := analysis.New("many", 0, threads)
	for i := range 60 {
		parallel := r.Child(r.Paths[0], &analysis.Region{
			Kind: omp.KindParallel, Name: "parallel",
			File: "many.c", Line: 10 + 20*i,
		})
		loop := r.Child(parallel,
			&analysis.Region{Kind: omp.KindFor, Name: "for", File: "many.c", Line: 12 + 20*i})
		critical := r.Child(loop, &analysis.Region{
			Kind: omp.KindCritical, Name: "critical(gate)",
			File: "many.c", Line: 14 + 20*i,
		})
		paths = append(paths, parallel, loop, critical)
	}
	states := []analysis.State{
		analysis.StateWork, analysis.StateMutex, analysis.StateWork,
		analysis.StateBarrier, analysis.StateTask, analysis.StateFork, analysis.StateTasks,
	}
	for k := range int64(n) { // thinned to what a page shows
		sent := k * 5000
		t.AddMessage(analysis.Message{
			From: int(k % workers), To: int((k + 1 + k%5) % workers),
			Sent: sent, Received: sent + 1000<<(k%7), Tag: uint32(k % 100), Bytes: uint32(k),
		})
	}
	for i := range threads {
		now := int64(1)
		for k := range n / workers {
			time := int64(100) << random.IntN(10)
			time += random.Int64N(time)
			state := states[k%len(states)]
			q := paths[(k/2000%60)*3+k%3]
			t.Add(analysis.Interval{Thread: i, Path: q, State: state, From: now, To: now + time})
			q.Add([]analysis.Property{
				analysis.Work, analysis.CriticalWait,
				analysis.ImbalanceLoop,
			}[k%3], i, time)
			now += time
		}
		r.Wall = max(r.Wall, now)
	}
	r.Events = uint64(n)
	return r, t
}
