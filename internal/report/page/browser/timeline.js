// The timeline shows threads as rows and time from left to right. It divides each column of
// pixels of a row among the states, by their time in it.

const NAMES = 132; // width of the threads' names in pixels
const AXIS = 24; // height of the time axis in pixels
const FADES = 8; // steps between intervals that do not match the search and those that do
const LEAST_FADE = 3; // of a column with any matching interval
const stateVariables = ["--absent", "--idle", "--serial", "--work", "--task", "--fork", "--barrier", "--mutex", "--tasks", "--mpi", "--preempted", "--blocked"];
const bottomUp = [3, 4, 2, 9, 5, 8, 7, 6, 11, 10, 1, 0]; // states of a column: work below, waiting above
const SMOOTH = 8; // ms for the states of a frame while the view changes; a slower frame has wider columns
const READABLE = 46; // width in pixels from which an interval shows its name

let timeline = null;

class Timeline {
  constructor(info, lanes) {
    Object.assign(this, { info, lanes, coarse: lanes, wanted: null, details: null, row: 0, cursor: null, hovered: null, onLine: null, messages: null, dragging: null, found: 0, frames: 0, marks: 0, theme: 0, painted: 0, cost: 0 });
    this.canvas = $("canvas");
    this.overview = $("overview");
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.end = Math.max(data.wall, ...lanes.map((l) => l.at[l.n]));
    this.view = [0, this.end];
    this.pathOf = Int32Array.from(info.keys, (k) => k[0]);
    this.spent = new Float64Array(info.states.length);
    this.sums = [new Float64Array(info.states.length), new Float64Array(info.states.length)];
    this.legend();
    this.recolour();
    new ResizeObserver(() => this.resize()).observe($("lanes").parentElement);
    $("lanes").addEventListener("scroll", () => this.redraw());
    this.steer();
    this.resize();
  }

  legend() {
    const used = new Set(this.info.keys.map((k) => k[1]));
    this.info.states.forEach((name, s) => {
      if (!used.has(s) || !s) return;
      const chip = make("i");
      chip.style.background = `var(${stateVariables[s]})`;
      $("states").append(make("li", "", chip, name));
    });
  }

  // note says what the timeline does not show, and from which view on.
  note() {
    const { read, kept, grain } = this.info;
    const notes = [];
    if (grain) notes.push(`${count(read)} intervals are shown as ${count(kept)}: those of one thread, path and state within ${duration(grain)} are one. The times are right; what alternates faster is not seen.`);
    if (this.details) {
      const { grain: fine, size, blocks } = this.details.info;
      const views = `Views of less than ${duration(this.widest())} show`;
      const bound = `: no more fits into ${Math.round(size / 1e6)} MB (--page-size)`;
      notes.push(!blocks.length ? `Narrow views show no more${bound}.` : fine ? `${views} more: those within ${duration(fine)} are one. Views of less than ${duration(fine * (this.width - NAMES))} show summaries only${bound}.` : `${views} each interval.`);
    }
    const { messages: m } = this;
    if (m && m.info.read > m.n) notes.push(`${count(m.n)} of ${count(m.info.read)} messages are shown, chosen by chance.`);
    $("timeline-note").textContent = notes.join(" ");
  }

  // recolour reads the colours again, and mixes faded ones for intervals that do not match.
  recolour() {
    const back = colour("--panel");
    const word = (c) => (255 << 24) | (c[2] << 16) | (c[1] << 8) | c[0];
    this.colours = stateVariables.map(colour);
    this.palette = [];
    for (let f = 0; f <= FADES; f++) this.palette.push(Int32Array.from(this.colours, (c) => word(mix(back, c, 0.2 + (0.8 * f) / FADES))));
    this.back = word(back);
    this.text = css(colour("--text"));
    this.ink = word(colour("--text"));
    this.muted = css(colour("--muted"));
    this.line = css(colour("--line"));
    this.accent = css(colour("--accent"));
    this.panel = css(back);
    this.chosen = css(colour("--select"));
    this.theme++;
    this.family = getComputedStyle(document.body).fontFamily;
    this.overviewImage = null;
    this.redraw();
  }

  resize() {
    const width = $("lanes").clientWidth;
    if (!width) return;
    const n = this.lanes.length;
    this.height = n <= 8 ? 34 : n <= 24 ? 22 : n <= 64 ? 14 : 9; // of a row
    const full = AXIS + n * this.height;
    const seen = Math.min(full, Math.max(200, Math.floor(innerHeight * 0.6)));
    $("lane-rows").style.height = full + "px";
    this.scale = Math.min(2, devicePixelRatio || 1);
    this.width = width;
    this.seen = seen;
    this.canvas.style.height = $("lanes").style.maxHeight = seen + "px";
    const size = (canvas, w, h) => { // setting the size of a canvas empties it
      w = Math.round(w * this.scale);
      h = Math.round(h * this.scale);
      if (canvas.width !== w) canvas.width = w;
      if (canvas.height !== h) canvas.height = h;
    };
    size(this.canvas, width, seen);
    size(this.overview, this.overview.clientWidth, this.overview.clientHeight);
    this.overviewImage = null;
    this.drawn = "";
    this.draw();
    this.note();
  }

  redraw() {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      const before = performance.now();
      this.draw();
      Object.assign(this.canvas.dataset, { view: this.view.join(" "), frame: performance.now() - before, frames: ++this.frames });
    });
  }

  x(time) {
    return NAMES + ((time - this.view[0]) / (this.view[1] - this.view[0])) * (this.width - NAMES);
  }

  time(x) {
    return this.view[0] + ((x - NAMES) / (this.width - NAMES)) * (this.view[1] - this.view[0]);
  }

  // rows returns the first visible row and the one after the last.
  rows() {
    const top = $("lanes").scrollTop;
    return [Math.floor(top / this.height), Math.min(this.lanes.length, Math.ceil((top + this.seen - AXIS) / this.height))];
  }

  y(row) {
    return AXIS + row * this.height - $("lanes").scrollTop;
  }

  draw() {
    const { context: c, canvas, scale, width } = this;
    const [from, to] = this.rows();
    const drawn = [canvas.width, canvas.height, $("lanes").scrollTop, ...this.view, this.marks, this.theme, this.shown()].join();
    if (drawn !== this.drawn) { // the pointer changes no pixel of the states
      const moves = performance.now() - this.painted < 150;
      const wide = moves ? Math.min(4, Math.max(1, Math.ceil(this.cost / SMOOTH))) : 1;
      const begin = performance.now();
      this.states(from, to, wide);
      this.painted = performance.now();
      this.cost = 0.7 * this.cost + 0.3 * wide * (this.painted - begin);
      this.drawn = wide > 1 ? "" : drawn;
      canvas.dataset.wide = wide;
      clearTimeout(this.rest);
      if (wide > 1) this.rest = setTimeout(() => this.redraw(), 160);
    }
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.putImageData(this.image, 0, 0);
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.font = `11px ${this.family}`;
    c.textBaseline = "middle";
    for (let row = from; row < to; row++) this.names(row);
    this.chosenLine(c);
    this.axis(c, width);
    for (const mark of [this.cursor, this.hovered]) if (mark) this.frame(mark, mark === this.cursor);
    if (this.dragging?.kind === "zoom") this.band(this.dragging.from, this.dragging.to);
    this.drawOverview();
    this.look();
  }

  // states paints the states of the visible rows.
  states(from, to, wide) {
    const { canvas, scale } = this;
    if (this.image?.width !== canvas.width || this.image.height !== canvas.height) this.image = this.context.createImageData(canvas.width, canvas.height);
    const pixels = new Int32Array(this.image.data.buffer);
    pixels.fill(this.back);
    for (let row = from; row < to; row++) {
      const top = Math.round((this.y(row) + 1) * scale);
      const bottom = Math.round((this.y(row) + this.height - 1) * scale);
      this.paint(this.lanes[row], pixels, canvas.width, Math.round(NAMES * scale), canvas.width, top, bottom, Math.round(AXIS * scale), canvas.height, this.view, wide);
    }
    this.lines(from, to, pixels, wide);
  }

  // paint fills columns of the given width, from left to right and top to bottom, with a lane's
  // states in a span of time. The end of each column is the start of the next, so it computes
  // each sum once.
  paint(lane, pixels, stride, left, right, top, bottom, clipTop, clipBottom, [t0, t1], wide) {
    const { palette } = this;
    let [before, after] = this.sums;
    const step = (t1 - t0) / (right - left);
    const height = bottom - top;
    const first = Math.max(top, clipTop), last = Math.min(bottom, clipBottom);
    let i = lane.find(t0);
    let known = false; // whether before holds the sums for this column
    for (let x = left; x < right;) {
      const a = t0 + (x - left) * step;
      const end = Math.min(right, x + wide);
      const b = t0 + (end - left) * step;
      if (i >= lane.n) break;
      if (i >= 0 && lane.at[i + 1] >= b) { // one interval: all columns inside it
        const until = Math.max(x + 1, Math.min(right, left + Math.floor((lane.at[i + 1] - t0) / step)));
        const fade = lane.marked && !(lane.marked[i + 1] > lane.marked[i]) ? 0 : FADES;
        const word = palette[fade][lane.state[i]];
        for (let y = first; y < last; y++) pixels.fill(word, y * stride + x, y * stride + until);
        x = until;
        i = lane.find(t0 + (x - left) * step, i);
        known = false;
        continue;
      }
      const j = lane.find(b, i);
      if (!known) lane.until(a, i, before);
      lane.until(b, j, after);
      let fade = FADES;
      if (lane.marked) { // a quarter gives full colours, any match some
        const part = lane.markedIn(a, b, i, j) / (b - a);
        fade = part > 0 ? Math.max(LEAST_FADE, Math.min(FADES, Math.ceil(FADES * 4 * part))) : 0;
      }
      const words = palette[fade];
      const scale = height / (b - a);
      let y = last, sum = 0;
      for (let k = 0; k < bottomUp.length; k++) {
        const s = bottomUp[k];
        const time = after[s] - before[s];
        if (time <= 0) continue;
        sum += time;
        const until = Math.max(first, bottom - ((sum * scale + 0.5) | 0));
        const word = words[s];
        for (; y > until; y--) {
          const row = (y - 1) * stride;
          for (let c = x; c < end; c++) pixels[row + c] = word;
        }
      }
      [before, after] = [after, before];
      known = true;
      i = j;
      x = end;
    }
  }

  // names writes the thread's name, and the names of paths into intervals that have room for
  // them.
  names(row) {
    const { context: c, height } = this;
    const lane = this.lanes[row];
    const y = this.y(row);
    if (y + height < AXIS) return;
    c.save();
    c.beginPath();
    c.rect(0, AXIS, this.width, this.seen);
    c.clip();
    if (chosenAt(row)) {
      c.fillStyle = this.chosen;
      c.fillRect(0, y, NAMES - 6, height);
    }
    c.fillStyle = this.text;
    if (height >= 12 || row % 4 === 0) c.fillText(threads[row].name, 6, y + height / 2, NAMES - 14);
    const least = (READABLE / (this.width - NAMES)) * (this.view[1] - this.view[0]);
    const first = Math.max(0, lane.find(this.view[0]));
    const last = Math.min(lane.n - 1, lane.find(this.view[1], first));
    if (height >= 14 && last - first < 4000) {
      for (let i = first; i <= last; i++) {
        if (lane.at[i + 1] - lane.at[i] < least || lane.state[i] === 0) continue;
        const x0 = Math.max(NAMES, this.x(lane.at[i]));
        const x1 = Math.min(this.width, this.x(lane.at[i + 1]));
        const s = lane.state[i];
        if (i > first && x0 > NAMES) {
          c.fillStyle = this.panel;
          c.fillRect(x0 - 0.5, y + 1, 1, height - 2);
        }
        if (x1 - x0 < READABLE) continue;
        c.fillStyle = lane.marked && !(lane.marked[i + 1] > lane.marked[i]) ? this.muted : ink(this.colours[s]);
        c.save();
        c.beginPath();
        c.rect(x0, y, x1 - x0 - 3, height);
        c.clip();
        const path = this.pathOf[lane.keys[i]];
        c.fillText(path > 0 ? paths[path].label : this.info.states[s], x0 + 5, y + height / 2);
        c.restore();
      }
    }
    c.restore();
  }

  axis(c, width) {
    const [t0, t1] = this.view;
    c.fillStyle = this.panel;
    c.fillRect(0, 0, width, AXIS - 1);
    const rough = ((t1 - t0) * 100) / (width - NAMES);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(1, [1, 2, 5, 10].find((m) => m * power >= rough) * power);
    const [unit, size] = t1 >= 1e9 ? ["s", 1e9] : t1 >= 1e6 ? ["ms", 1e6] : t1 >= 1e3 ? ["µs", 1e3] : ["ns", 1];
    const digits = Math.max(0, Math.ceil(Math.log10(size / step)));
    c.textAlign = "center";
    for (let t = Math.ceil(t0 / step) * step; t <= t1; t += step) {
      const x = this.x(t);
      c.fillStyle = this.line;
      c.fillRect(Math.round(x), AXIS - 6, 1, 5);
      c.fillStyle = this.muted;
      if (x > NAMES + 20 && x < width - 30) c.fillText((t / size).toFixed(digits) + " " + unit, x, AXIS / 2 - 1);
    }
    c.textAlign = "left";
    c.fillStyle = this.muted;
    c.fillText(duration(t1 - t0) + " shown", 6, AXIS / 2 - 1);
    c.fillStyle = this.line;
    c.fillRect(0, AXIS - 1, width, 1);
  }

  // frame draws a line around an interval.
  frame({ row, i }, strong) {
    const { context: c } = this;
    const lane = this.lanes[row];
    const x0 = Math.max(NAMES, this.x(lane.at[i]));
    const x1 = Math.min(this.width, this.x(lane.at[i + 1]));
    const y = this.y(row);
    if (x1 < NAMES || x0 > this.width || y + this.height < AXIS) return;
    c.strokeStyle = strong ? this.accent : this.text;
    c.lineWidth = strong ? 2.5 : 1.5;
    c.strokeRect(x0 - 1, Math.max(AXIS, y) + 0.5, Math.max(3, x1 - x0 + 1), this.height - 1);
  }

  band(a, b) {
    const { context: c } = this;
    c.fillStyle = this.accent;
    c.globalAlpha = 0.22;
    c.fillRect(Math.min(a, b), AXIS, Math.abs(b - a), this.seen);
    c.globalAlpha = 1;
    c.fillText(duration(Math.abs(this.time(b) - this.time(a))), Math.min(a, b) + 4, AXIS + 9);
  }

  // drawOverview shows all threads together over the entire run, which it paints once. It marks
  // the visible part.
  drawOverview() {
    const { overview: o, scale } = this;
    if (!o.width || !o.height) return;
    const c = o.getContext("2d", { alpha: false });
    const left = Math.round(NAMES * scale);
    if (!this.overviewImage) this.overviewImage = this.sumUp(c, o.width, o.height, left);
    c.putImageData(this.overviewImage, 0, 0);
    const at = (t) => left + (t / this.end) * (o.width - left);
    const [x0, x1] = this.view.map(at);
    c.fillStyle = this.panel;
    c.globalAlpha = 0.62;
    c.fillRect(left, 0, x0 - left, o.height);
    c.fillRect(x1, 0, o.width - x1, o.height);
    c.globalAlpha = 1;
    c.strokeStyle = this.accent;
    c.lineWidth = 2 * scale;
    c.strokeRect(x0 + scale, scale, Math.max(2, x1 - x0 - 2 * scale), o.height - 2 * scale);
    c.fillStyle = this.muted;
    c.font = `${11 * scale}px ${this.family}`;
    c.textBaseline = "middle";
    c.fillText("all threads", 6 * scale, o.height / 2);
  }

  sumUp(c, width, height, left) {
    const image = c.createImageData(width, height);
    const pixels = new Int32Array(image.data.buffer);
    pixels.fill(this.back);
    const states = this.info.states.length;
    const sums = new Float64Array((width - left) * states);
    const step = this.end / (width - left);
    for (const lane of this.lanes) {
      let i = lane.find(0);
      for (let x = 0; x < width - left; x++) {
        const a = x * step, b = a + step;
        i = lane.find(a, Math.max(0, i));
        const j = lane.find(b, Math.max(0, i));
        this.spent.fill(0);
        lane.spent(a, b, i, j, this.spent);
        for (let s = 0; s < states; s++) sums[x * states + s] += this.spent[s];
      }
    }
    const words = this.palette[FADES];
    for (let x = 0; x < width - left; x++) {
      let y = height, sum = 0;
      for (const s of bottomUp) {
        if (!sums[x * states + s]) continue;
        sum += sums[x * states + s];
        const end = height - Math.round((sum / (step * this.lanes.length)) * height);
        for (; y > Math.max(0, end); y--) pixels[(y - 1) * width + left + x] = words[s];
      }
    }
    return image;
  }
}
