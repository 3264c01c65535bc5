// This file handles the input to the timeline: zoom, move, point, search.

const NARROWEST = 20; // shortest visible span in ns
const TAP = 10; // largest move of a finger, in pixels, that still counts as pointing

Object.assign(Timeline.prototype, {
  steer() {
    const { canvas, overview } = this;
    this.fingers = new Map(); // position of each, by pointer
    canvas.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    overview.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    canvas.addEventListener("pointerdown", (e) => this.down(e));
    canvas.addEventListener("pointermove", (e) => this.over(e));
    canvas.addEventListener("pointerup", (e) => this.up(e));
    canvas.addEventListener("pointercancel", (e) => { this.fingers.delete(e.pointerId); this.grip(); this.redraw(); });
    canvas.addEventListener("pointerleave", () => this.point(null));
    canvas.addEventListener("dblclick", () => this.show(0, this.end));
    canvas.addEventListener("keydown", (e) => this.key(e));
    overview.addEventListener("pointerdown", (e) => { overview.setPointerCapture(e.pointerId); this.centre(e); });
    overview.addEventListener("pointermove", (e) => e.buttons && this.centre(e));
    overview.addEventListener("dblclick", () => this.show(0, this.end));
    $("zoom-in").addEventListener("click", () => this.zoom(0.5));
    $("zoom-out").addEventListener("click", () => this.zoom(2));
    $("zoom-all").addEventListener("click", () => this.show(0, this.end));
    $("next").addEventListener("click", () => this.go(1));
    $("previous").addEventListener("click", () => this.go(-1));
    $("follow").addEventListener("change", () => this.mark());
    let waiting = 0;
    $("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => this.mark(), 80); });
    $("search").addEventListener("keydown", (e) => {
      if (e.key === "Enter") { clearTimeout(waiting); this.mark(); this.go(e.shiftKey ? -1 : 1); }
      if (e.key === "Escape") { $("search").value = ""; this.mark(); this.canvas.focus(); }
      e.stopPropagation();
    });
    document.addEventListener("keydown", (e) => {
      if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === "INPUT") return;
      $("search").focus();
      $("search").select();
      e.preventDefault();
    });
  },

  // show sets the view, inside the run and at least NARROWEST wide.
  show(from, to) {
    let span = Math.min(this.end, Math.max(NARROWEST, to - from));
    from = (from + to - span) / 2;
    from = Math.max(0, Math.min(this.end - span, from));
    this.view = [from, from + span];
    this.redraw();
  },

  zoom(factor, around = (this.view[0] + this.view[1]) / 2) {
    const [a, b] = this.view;
    const span = Math.min(this.end, Math.max(NARROWEST, (b - a) * factor));
    const from = around - ((around - a) / (b - a)) * span;
    this.show(from, from + span);
  },

  pan(part) {
    const by = (this.view[1] - this.view[0]) * part;
    this.show(this.view[0] + by, this.view[1] + by);
  },

  local(e) {
    const r = this.canvas.getBoundingClientRect();
    return [e.clientX - r.left, e.clientY - r.top];
  },

  wheel(e) {
    const [x] = this.local(e);
    if (x < NAMES) return; // over the names the wheel scrolls the threads
    e.preventDefault();
    const unit = e.deltaMode === 1 ? 30 : 1;
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) this.pan(((e.deltaX || e.deltaY) * unit) / 1000);
    else this.zoom(Math.exp(Math.max(-300, Math.min(300, e.deltaY * unit)) / 300), e.target === this.canvas ? this.time(x) : undefined);
    this.point(e);
  },

  // at returns the interval under a point of the canvas, or null.
  at(e) {
    const [x, y] = this.local(e);
    if (x < NAMES || y < AXIS) return null;
    const row = Math.floor((y - AXIS + $("lanes").scrollTop) / this.height);
    const lane = this.lanes[row];
    if (!lane) return null;
    const i = lane.find(this.time(x));
    return i >= 0 && i < lane.n && lane.state[i] ? { row, i, x } : null;
  },

  down(e) {
    if (e.button > 1) return;
    const [x, y] = this.local(e);
    this.canvas.setPointerCapture(e.pointerId);
    if (e.pointerType === "touch" && x >= NAMES) {
      this.fingers.set(e.pointerId, x);
      this.tap = this.fingers.size === 1 ? x : null;
      this.grip();
      return;
    }
    const kind = e.shiftKey || e.button === 1 ? "move" : "zoom";
    if (x >= NAMES) this.dragging = { kind, from: x, to: x, view: [...this.view] };
    else if (y >= AXIS) select({ thread: Math.min(threads.length - 1, Math.floor((y - AXIS + $("lanes").scrollTop) / this.height)) });
  },

  over(e) {
    const d = this.dragging;
    if (this.fingers.has(e.pointerId)) { this.finger(e); return; }
    if (!d) { this.point(e); return; }
    const [x] = this.local(e);
    d.to = Math.max(NAMES, Math.min(this.width, x));
    if (d.kind === "move") {
      const by = ((d.from - d.to) / (this.width - NAMES)) * (d.view[1] - d.view[0]);
      this.show(d.view[0] + by, d.view[1] + by);
    }
    this.point(null);
    this.redraw();
  },

  up(e) {
    if (this.fingers.delete(e.pointerId)) {
      if (this.tap != null) { this.choose(e); this.point(e); }
      this.tap = null;
      this.grip();
      return;
    }
    const d = this.dragging;
    this.dragging = null;
    if (!d) return;
    if (Math.abs(d.to - d.from) < 4) this.choose(e);
    else if (d.kind === "zoom") this.show(Math.min(this.time(d.from), this.time(d.to)), Math.max(this.time(d.from), this.time(d.to)));
    this.redraw();
  },

  // grip notes the times under the fingers, which remain below them. One finger moves the view
  // and two zoom it; further fingers have no effect.
  grip() {
    const at = [...this.fingers.values()].slice(0, 2);
    this.dragging = at.length ? { kind: "touch", times: at.map((x) => this.time(x)) } : null;
  },

  finger(e) {
    const [x] = this.local(e);
    this.fingers.set(e.pointerId, x);
    if (this.tap != null && Math.abs(x - this.tap) > TAP) this.tap = null;
    if (this.tap != null) return;
    this.point(null);
    const [x0, x1] = this.fingers.values();
    const [t0, t1] = this.dragging.times;
    const width = this.width - NAMES;
    const pinching = t1 !== undefined && Math.abs(x1 - x0) >= 1 && (t1 - t0) / (x1 - x0) > 0; // the fingers have not crossed
    const step = pinching ? (t1 - t0) / (x1 - x0) : (this.view[1] - this.view[0]) / width;
    const from = t0 - (x0 - NAMES) * step;
    this.show(from, from + step * width);
  },

  // choose selects the path and the thread of the interval under the pointer.
  choose(e) {
    const hit = this.at(e);
    if (!hit) return;
    this.cursor = hit;
    const path = this.pathOf[this.lanes[hit.row].keys[hit.i]];
    select({ path: Math.max(0, path), thread: hit.row, reveal: true });
  },

  point(e) {
    const hit = e ? this.at(e) : null;
    const line = e ? this.lineAt(...this.local(e)) : null;
    const tip = $("tip");
    if (line !== this.onLine || hit?.row !== this.hovered?.row || hit?.i !== this.hovered?.i) this.redraw();
    this.hovered = hit;
    this.onLine = line;
    tip.hidden = !hit && line == null;
    if (tip.hidden) return;
    tip.replaceChildren(...(line != null ? this.describeMessage(line) : this.describe(hit)));
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = Math.min(e.clientX + 14, innerWidth - width - 8) + "px";
    tip.style.top = (e.clientY + 18 + height > innerHeight ? e.clientY - height - 12 : e.clientY + 18) + "px";
  },

  // describe describes an interval, and the states in its column of pixels.
  describe({ row, i, x }) {
    const lane = this.lanes[row];
    const path = this.pathOf[lane.keys[i]];
    const state = lane.state[i];
    const chip = make("i");
    chip.style.background = css(this.colours[state]);
    const length = lane.at[i + 1] - lane.at[i];
    const out = [make("div", "", chip, make("b", "", this.info.states[state]), ` ${duration(length)}`)];
    if (path > 0) out.push(make("div", "", chain(path).join(" › ")));
    out.push(make("div", "muted", `${threads[row].name}, from ${duration(lane.at[i])} on`));
    if (x === undefined) return out;
    const a = this.time(Math.floor(x)), b = this.time(Math.floor(x) + 1);
    const first = lane.find(a), last = lane.find(b);
    if (last - first < 2) return out;
    this.spent.fill(0);
    lane.spent(a, b, first, last, this.spent);
    const states = [...this.spent].map((t, s) => [t, s]).filter(([t]) => t > 0).sort((p, q) => q[0] - p[0]);
    out.push(make("div", "muted", `in this pixel (${duration(b - a)}) ${count(last - first + 1)} intervals: ${states.slice(0, 4).map(([t, s]) => `${this.info.states[s]} ${percent(t, b - a)}`).join(", ")}`));
    return out;
  },

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const act = {
      ArrowLeft: () => this.pan(-0.2), ArrowRight: () => this.pan(0.2), ArrowUp: () => this.zoom(0.6), ArrowDown: () => this.zoom(1 / 0.6),
      a: () => this.pan(-0.2), d: () => this.pan(0.2), w: () => this.zoom(0.6), s: () => this.zoom(1 / 0.6),
      "+": () => this.zoom(0.6), "=": () => this.zoom(0.6), "-": () => this.zoom(1 / 0.6),
      Home: () => this.show(0, this.end), 0: () => this.show(0, this.end), n: () => this.go(1), p: () => this.go(-1),
      PageDown: () => { $("lanes").scrollTop += this.seen - AXIS; }, PageUp: () => { $("lanes").scrollTop -= this.seen - AXIS; },
    }[e.key];
    if (!act) return;
    act();
    e.preventDefault();
  },

  centre(e) {
    const r = this.overview.getBoundingClientRect();
    const t = ((e.clientX - r.left - NAMES) / (r.width - NAMES)) * this.end;
    const half = (this.view[1] - this.view[0]) / 2;
    this.show(t - half, t + half);
  },

  // mark marks the intervals that match the search: each word occurs in the path's region or
  // the state. Without words it marks the selected path, if the user follows the selection.
  mark() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    let wanted = null;
    if (words.length) {
      wanted = this.info.keys.map(([path, state]) => {
        const text = `${path >= 0 ? paths[path].label : ""} ${this.info.states[state]}`.toLowerCase();
        return state > 0 && words.every((w) => text.includes(w));
      });
    } else if ($("follow").checked) {
      wanted = this.info.keys.map(([path, state]) => state > 0 && path >= 0 && below(path, selection.path));
    }
    this.found = 0;
    this.wanted = wanted;
    let time = 0;
    this.coarse.forEach((lane, row) => {
      this.found += lane.mark(wanted);
      if (lane.marked) time += lane.marked[lane.n];
      if (this.lanes[row] !== lane) this.lanes[row].mark(wanted);
    });
    this.cursor = null;
    this.marks++;
    $("matches").textContent = !wanted ? "" : this.found ? `${count(this.found)} intervals, ${duration(time)}, ${percent(time, data.total)}` : "not found";
    this.redraw();
  },

  // go moves to the next marked interval of any thread, or to the previous one, in the order of
  // time.
  go(step) {
    const now = this.cursor ? this.lanes[this.cursor.row].at[this.cursor.i] : step > 0 ? -1 : Infinity;
    let best = null;
    this.lanes.forEach((lane, row) => {
      if (!lane.marked) return;
      let i = now === Infinity ? lane.n : lane.find(now);
      const same = this.cursor && i >= 0 && i < lane.n && lane.at[i] === now; // equal times go by thread
      if (same && row * step > this.cursor.row * step) i -= step;
      else if (step < 0 && i >= 0 && i < lane.n && lane.at[i] < now) i++;
      i = lane.nextMarked(i, step);
      if (i < 0) return;
      const at = lane.at[i];
      if (!best || (at - best.at) * step < 0) best = { row, i, at };
      else if (at === best.at && step < 0) best = { row, i, at };
    });
    if (!best) return;
    this.cursor = { row: best.row, i: best.i };
    const lane = this.lanes[best.row];
    const [a, b] = [lane.at[best.i], lane.at[best.i + 1]];
    const [from, to] = this.view;
    const pixels = ((b - a) / (to - from)) * (this.width - NAMES);
    if (a < from || b > to || pixels < 3) this.show(a - 12 * (b - a), b + 12 * (b - a));
    const y = best.row * this.height;
    const lanes = $("lanes");
    if (y < lanes.scrollTop || y + this.height > lanes.scrollTop + this.seen - AXIS) lanes.scrollTop = y - this.seen / 2;
    this.redraw();
    $("matches").textContent = `${count(this.found)} intervals; this: ${duration(b - a)} at ${duration(a)}, ${threads[best.row].name}`;
  },

  selected(change) {
    if ("path" in change && $("follow").checked && !$("search").value) this.mark();
    this.redraw();
  },
});
