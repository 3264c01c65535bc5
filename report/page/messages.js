// Messages between processes, as lines from the sender's row to the receiver's. Of too many some are drawn, always the same ones at one zoom.

const MOST_LINES = 1200; // of a frame, about
const NEAR = 5; // pixels from a line within which the pointer is on it

// Messages stand in classes by how long they took: class k takes less than 2^k ns. So those that reach into a span of time are found by halving.
class Messages {
  constructor(info, next) {
    this.info = info;
    this.n = info.classes.reduce((sum, n) => sum + n, 0);
    this.from = new Uint32Array(this.n);
    this.to = new Uint32Array(this.n);
    this.sent = new Float64Array(this.n);
    this.took = new Float64Array(this.n);
    this.tag = new Uint32Array(this.n);
    this.bytes = new Uint32Array(this.n);
    this.drawn = [];
    let i = 0;
    for (const n of info.classes) {
      let sent = 0;
      for (const end = i + n; i < end; i++) {
        this.from[i] = next();
        this.to[i] = next();
        this.sent[i] = sent += next();
        this.took[i] = next();
        this.tag[i] = next();
        this.bytes[i] = next();
      }
    }
  }

  // first is the first of those from low to high that was sent at a time or later.
  first(time, low, high) {
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sent[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // choose finds what to draw in a span of time: of each class every message, or every second, fourth, ... by its number, so that a line stays where
  // the view moves.
  choose(t0, t1) {
    const spans = [];
    let base = 0, found = 0;
    this.info.classes.forEach((n, k) => {
      if (n) {
        const low = this.first(t0 - 2 ** k, base, base + n), high = this.first(t1, base, base + n);
        if (high > low) spans.push([low, high]);
        found += high - low;
      }
      base += n;
    });
    let step = 1;
    while (found / step > MOST_LINES) step *= 2;
    this.drawn.length = 0;
    for (const [low, high] of spans) for (let i = Math.ceil(low / step) * step; i < high; i += step) this.drawn.push(i);
    return step;
  }
}

Object.assign(Timeline.prototype, {
  // carry takes the messages in.
  carry(messages) {
    this.messages = messages;
    $("messages-shown").hidden = false;
    $("messages").addEventListener("change", () => this.redraw());
    const { read } = messages.info;
    if (read > messages.n) $("timeline-note").append(` ${count(messages.n)} of ${count(read)} messages are shown, chosen by chance.`);
  },

  // lines draws the messages that are in view: from the middle of the sender's row to that of the receiver's, where there is a dot.
  lines(from, to) {
    const { messages: m, context: c, canvas } = this;
    if (!m || !$("messages").checked) {
      canvas.dataset.lines = 0;
      return;
    }
    canvas.dataset.step = m.choose(...this.view);
    c.save();
    c.beginPath();
    c.rect(NAMES, AXIS, this.width - NAMES, this.seen - AXIS);
    c.clip();
    c.strokeStyle = c.fillStyle = this.text;
    c.globalAlpha = m.drawn.length > 300 ? 0.35 : 0.75;
    c.lineWidth = 1;
    const half = this.height / 2;
    c.beginPath();
    let lines = 0;
    for (const i of m.drawn) {
      const a = m.from[i], b = m.to[i];
      if ((a < from && b < from) || (a >= to && b >= to)) continue;
      const x = this.x(m.sent[i] + m.took[i]), y = this.y(b) + half;
      c.moveTo(this.x(m.sent[i]), this.y(a) + half);
      c.lineTo(x, y);
      c.rect(x - 1.5, y - 1.5, 3, 3);
      lines++;
    }
    c.stroke();
    if (this.onLine != null) {
      const i = this.onLine;
      c.globalAlpha = 1;
      c.strokeStyle = this.accent;
      c.lineWidth = 2.5;
      c.beginPath();
      c.moveTo(this.x(m.sent[i]), this.y(m.from[i]) + half);
      c.lineTo(this.x(m.sent[i] + m.took[i]), this.y(m.to[i]) + half);
      c.stroke();
    }
    c.restore();
    canvas.dataset.lines = lines;
  },

  // lineAt is the message whose line is nearest to a point of the canvas, or null.
  lineAt(px, py) {
    const { messages: m } = this;
    if (!m || !$("messages").checked || px < NAMES || py < AXIS) return null;
    const half = this.height / 2;
    let best = null, least = NEAR * NEAR;
    for (const i of m.drawn) {
      const x0 = this.x(m.sent[i]), y0 = this.y(m.from[i]) + half;
      const dx = this.x(m.sent[i] + m.took[i]) - x0, dy = this.y(m.to[i]) + half - y0;
      const part = Math.max(0, Math.min(1, ((px - x0) * dx + (py - y0) * dy) / (dx * dx + dy * dy || 1)));
      const d = (px - x0 - part * dx) ** 2 + (py - y0 - part * dy) ** 2;
      if (d < least) { least = d; best = i; }
    }
    return best;
  },

  // tell describes a message.
  tell(i) {
    const m = this.messages;
    return [
      make("div", "", make("b", "", "message"), ` ${threads[m.from[i]].name} → ${threads[m.to[i]].name}`),
      make("div", "", `tag ${m.tag[i]}, ${count(m.bytes[i])} bytes`),
      make("div", "muted", `sent at ${duration(m.sent[i])}, received ${duration(m.took[i])} later`),
    ];
  },
});
