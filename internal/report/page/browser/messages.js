// Messages between processes are lines from the sender's row to the receiver's. Many lines fade to
// a shade, so that the states remain visible. If there are too many, only some appear, always the
// same ones at one zoom.

const MOST_LINES = 4000; // approximate limit for a frame
const LINE = 0.7; // how dark a line by itself is
const MEAN = 0.15; // largest mean darkness of the timeline by lines
const DARKEST = 0.6; // of a pixel with many faded lines
const NEAR = 5; // largest distance in pixels of the pointer from its line

// Messages has classes of messages by duration: class k takes less than 2^k ns. So a binary
// search finds those that reach into a span of time.
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

  // first returns the first message from low to high that was sent at a time or later.
  first(time, low, high) {
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sent[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // choose selects the messages to draw in a span of time. From each class it takes every
  // message, or every second, fourth and so on by number. So a line remains when the view
  // moves.
  choose(t0, t1, most) {
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
    while (found / step > most) step *= 2;
    this.drawn.length = 0;
    for (const [low, high] of spans) for (let i = Math.ceil(low / step) * step; i < high; i += step) this.drawn.push(i);
    return step;
  }
}

// Density counts the lines over each pixel of the canvas. So many lines become a shade by their
// number, and not a blot in which the last ones cover all.
class Density {
  // clear empties the counts for a canvas of a size.
  clear(width, height) {
    if (this.width !== width || this.height !== height) Object.assign(this, { width, height, counts: new Uint16Array(width * height) });
    else this.counts.fill(0);
    this.sum = 0;
  }

  // line adds the part of a line inside the edges.
  line(x0, y0, x1, y1, { left, top, right, bottom }) {
    const { counts, width } = this;
    const dx = x1 - x0, dy = y1 - y0;
    let a = 0, b = 1; // the part of the line inside the edges
    for (const [p, q] of [[-dx, x0 - left], [dx, right - x0], [-dy, y0 - top], [dy, bottom - y0]]) {
      if (p === 0 ? q < 0 : false) return;
      if (p < 0) a = Math.max(a, q / p);
      if (p > 0) b = Math.min(b, q / p);
    }
    if (a > b) return;
    const steps = Math.max(1, Math.ceil((b - a) * Math.max(Math.abs(dx), Math.abs(dy))));
    let x = x0 + a * dx, y = y0 + a * dy;
    const sx = ((b - a) * dx) / steps, sy = ((b - a) * dy) / steps;
    for (let k = 0; k <= steps; k++, x += sx, y += sy) counts[((y + 0.5) | 0) * width + ((x + 0.5) | 0)]++;
    this.sum += steps + 1;
  }

  // dot adds a small square, as dark as three lines.
  dot(x, y, { left, top, right, bottom }) {
    for (let r = Math.max(top, y - 1); r <= Math.min(bottom, y + 1); r++) {
      for (let c = Math.max(left, x - 1); c <= Math.min(right, x + 1); c++) { this.counts[r * this.width + c] += 3; this.sum += 3; }
    }
  }

  // paint mixes the colour into the pixels inside the edges, by the number of lines over each. A
  // line is as dark as the mean of all pixels allows, and returns that: 1 is a line by itself.
  paint(pixels, { left, top, right, bottom }, word) {
    const { counts, width } = this;
    const mean = this.sum / Math.max(1, (right - left + 1) * (bottom - top + 1));
    const alpha = Math.min(LINE, MEAN / mean);
    const faded = alpha / LINE;
    const darkest = DARKEST + (1 - DARKEST) * faded;
    const shades = new Float64Array(256).map((_, n) => Math.min(darkest, 1 - (1 - alpha) ** n));
    const red = word & 255, green = (word >> 8) & 255, blue = (word >> 16) & 255;
    for (let y = top; y <= bottom; y++) {
      for (let at = y * width + left, end = y * width + right; at <= end; at++) {
        const n = counts[at];
        if (!n) continue;
        const f = shades[n < 256 ? n : 255];
        const was = pixels[at];
        const r = was & 255, g = (was >> 8) & 255, b = (was >> 16) & 255;
        pixels[at] = (255 << 24) | ((b + (blue - b) * f) << 16) | ((g + (green - g) * f) << 8) | (r + (red - r) * f);
      }
    }
    return faded;
  }
}

Object.assign(Timeline.prototype, {
  // carry adds the messages to the timeline.
  carry(messages) {
    this.messages = messages;
    this.density = new Density();
    $("messages-shown").hidden = false;
    $("messages").addEventListener("change", () => this.redraw());
  },

  shown() {
    return this.messages !== null && $("messages").checked;
  },

  // lines paints the visible messages, from the middle of the sender's row to that of the
  // receiver's, where there is a dot. It paints into the image of the states, which remains while
  // the pointer moves. When drawing is slow, it paints fewer.
  lines(from, to, pixels, wide) {
    const { messages: m, canvas, scale } = this;
    let lines = 0;
    if (this.shown()) {
      const step = m.choose(...this.view, MOST_LINES / wide);
      canvas.dataset.step = step;
      $("messages-part").textContent = step > 1 ? ` (1 in ${count(step)})` : "";
      const half = this.height / 2;
      const edge = { left: Math.round(NAMES * scale), top: Math.round(AXIS * scale), right: canvas.width - 1, bottom: Math.min(canvas.height, Math.round(this.y(to) * scale)) - 1 };
      this.density.clear(canvas.width, canvas.height);
      for (const i of m.drawn) {
        const a = m.from[i], b = m.to[i];
        if ((a < from && b < from) || (a >= to && b >= to)) continue;
        const x = this.x(m.sent[i] + m.took[i]) * scale, y = (this.y(b) + half) * scale;
        this.density.line(this.x(m.sent[i]) * scale, (this.y(a) + half) * scale, x, y, edge);
        this.density.dot(Math.round(x), Math.round(y), edge);
        lines++;
      }
      canvas.dataset.faded = this.density.paint(pixels, edge, this.ink);
    }
    canvas.dataset.lines = lines;
  },

  // chosenLine draws the message under the pointer.
  chosenLine(c) {
    const { messages: m, onLine: i } = this;
    if (i == null || !this.shown()) return;
    const half = this.height / 2;
    c.save();
    c.beginPath();
    c.rect(NAMES, AXIS, this.width - NAMES, this.seen - AXIS);
    c.clip();
    c.strokeStyle = this.accent;
    c.lineWidth = 2.5;
    c.beginPath();
    c.moveTo(this.x(m.sent[i]), this.y(m.from[i]) + half);
    c.lineTo(this.x(m.sent[i] + m.took[i]), this.y(m.to[i]) + half);
    c.stroke();
    c.restore();
  },

  // lineAt returns the message whose line is nearest to a point of the canvas, or null.
  lineAt(px, py) {
    const { messages: m } = this;
    if (!this.shown() || px < NAMES || py < AXIS) return null;
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

  // describeMessage describes a message.
  describeMessage(i) {
    const m = this.messages;
    return [
      make("div", "", make("b", "", "message"), ` ${threads[m.from[i]].name} → ${threads[m.to[i]].name}`),
      make("div", "", `tag ${m.tag[i]}, ${count(m.bytes[i])} bytes`),
      make("div", "muted", `sent at ${duration(m.sent[i])}, received ${duration(m.took[i])} later`),
    ];
  },
});
