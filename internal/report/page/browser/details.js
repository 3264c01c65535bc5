// Details are blocks of intervals in the file, for views that are narrower than the cells of the
// lanes. Where the view rests, the blocks in it replace their part of the lanes.

const REST = 120; // ms for which a view rests before blocks are read for it
const MOST_DETAILS = 1 << 21; // intervals in a view
const KEPT_DETAILS = 1 << 22; // intervals of the blocks that stay unpacked

class Details {
  constructor(info, keys, states) {
    Object.assign(this, { info, states, kept: new Map(), n: 0 });
    this.stateOf = Uint8Array.from(keys, (k) => k[1]);
    this.blocks = info.blocks.map(([from, to, first, last, n, raw], id) => ({ id, from: from + info.base, to: to + info.base, first, last, n, raw }));
  }

  // within returns the blocks in a span of time and of rows.
  within([a, b], [first, end]) {
    return this.blocks.filter((k) => k.from < b && k.to > a && k.first < end && k.last >= first);
  }

  // read returns the parts of a block: thread, keys, and the times at which intervals begin, with
  // the end of the last one.
  async read({ id, raw }) {
    const had = this.kept.get(id);
    if (had) return had;
    if (!$("block" + id)) await new Promise((loaded) => { document.addEventListener("DOMContentLoaded", loaded); });
    const next = varints(await inflate($("block" + id).textContent, raw));
    const parts = [];
    for (let left = next(); left > 0; left--) {
      const thread = next(), n = next(), from = next();
      const part = { thread, n, keys: new Uint32Array(n), at: new Float64Array(n + 1) };
      part.at[0] = this.info.base + (from % 2 ? -(from + 1) / 2 : from / 2);
      for (let i = 0; i < n; i++) part.keys[i] = next();
      for (let i = 0; i < n; i++) part.at[i + 1] = part.at[i] + next();
      parts.push(part);
    }
    this.kept.set(id, parts);
    this.n += parts.reduce((sum, p) => sum + p.n, 0);
    for (const [old, had] of this.kept) {
      if (this.n <= KEPT_DETAILS || old === id) break;
      this.kept.delete(old);
      this.n -= had.reduce((sum, p) => sum + p.n, 0);
    }
    return parts;
  }

  // refine returns a lane with parts in place of its own intervals. The parts follow each other.
  refine(lane, parts) {
    const from = parts[0].at[0], last = parts.at(-1), to = last.at[last.n];
    const i = lane.find(from), j = lane.find(to);
    const before = i < 0 ? 0 : i < lane.n && lane.at[i] < from ? i + 1 : i; // intervals in front
    const cut = j < 0 ? 0 : j; // the interval in which the parts end
    const n = before + parts.reduce((sum, p) => sum + p.n, 0) + lane.n - cut;
    const out = new Lane(n, from);
    out.keys.set(lane.keys.subarray(0, before));
    out.at.set(lane.at.subarray(0, before));
    let at = before;
    for (const p of parts) {
      out.keys.set(p.keys, at);
      out.at.set(p.at, at);
      at += p.n;
    }
    out.keys.set(lane.keys.subarray(cut), at);
    out.at.set(lane.at.subarray(cut, lane.n + 1), at);
    out.at[at] = to;
    out.sum(this.stateOf, this.states);
    return out;
  }
}

Object.assign(Timeline.prototype, {
  // detail adds the details to the timeline.
  detail(info) {
    this.details = new Details(info, this.info.keys, this.info.states.length);
    this.fine = { view: [0, 0], rows: [0, 0] };
  },

  // widest is the width of the widest view that has details: a pixel is two cells.
  widest() {
    return 2 * this.info.grain * (this.width - NAMES);
  },

  // level says what the view shows: "summary", "detail", or "loading".
  level() {
    const { fine, view: [a, b] } = this;
    if (!this.details || b - a > this.widest()) return "summary";
    const [first, end] = this.rows();
    if (fine.view[0] <= Math.max(0, a) && fine.view[1] >= Math.min(this.end, b) && fine.rows[0] <= first && fine.rows[1] >= end) return "detail";
    return this.crowded() ? "summary" : "loading";
  },

  // crowded reports whether the view has more details than can be shown.
  crowded() {
    return this.details.within(this.view, this.rows()).reduce((sum, k) => sum + k.n, 0) > MOST_DETAILS;
  },

  // look reads the details of the view when it rests, and says what the view shows.
  look() {
    if (!this.details) return;
    const level = this.level();
    this.canvas.dataset.level = level;
    const { grain } = level === "detail" ? this.details.info : this.info;
    $("timeline-level").textContent = level === "loading" ? "This view: loading details."
      : grain ? `This view: intervals of one thread, path and state within ${duration(grain)} are one.` : "This view: each interval.";
    clearTimeout(this.looking);
    if (level === "loading") this.looking = setTimeout(() => this.load(), REST);
  },

  // load replaces the view's part of the lanes by details, with as much on both sides as there is
  // in view, if that is not too much.
  async load() {
    const rows = this.rows();
    let [a, b] = this.view;
    const wide = [Math.max(0, a - (b - a)), Math.min(this.end, b + (b - a))];
    let blocks = this.details.within(wide, rows);
    if (blocks.reduce((sum, k) => sum + k.n, 0) > MOST_DETAILS) blocks = this.details.within([a, b], rows);
    else [a, b] = wide;
    const view = this.view;
    const parts = new Map();
    for (const block of blocks) {
      for (const p of await this.details.read(block)) {
        if (p.at[0] >= b || p.at[p.n] <= a || p.thread < rows[0] || p.thread >= rows[1]) continue;
        if (!parts.has(p.thread)) parts.set(p.thread, []);
        parts.get(p.thread).push(p);
      }
    }
    if (view !== this.view) return this.look(); // it has moved meanwhile
    const moments = [this.cursor, this.hovered].map((mark) => mark && this.lanes[mark.row].at[mark.i]);
    this.lanes = this.coarse.map((lane, row) => (parts.has(row) ? this.details.refine(lane, parts.get(row)) : lane));
    for (const lane of this.lanes) lane.mark(this.wanted);
    [this.cursor, this.hovered].forEach((mark, k) => {
      if (mark) mark.i = Math.max(0, Math.min(this.lanes[mark.row].n - 1, this.lanes[mark.row].find(moments[k])));
    });
    this.fine = { view: [a, b], rows };
    this.marks++;
    this.redraw();
  },
});
