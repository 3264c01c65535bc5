// This file draws plots of values over numbers of processors. Both axes may be logarithmic.

// shape returns a new element of a drawing.
function shape(tag, attributes, ...content) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...content);
  return e;
}

// ticks returns round values between two others, at most eight.
function ticks(from, to, logarithmic) {
  const all = [];
  if (logarithmic) {
    const steps = to / from > 200 ? [1] : [1, 2, 5];
    for (let ten = 10 ** Math.floor(Math.log10(from)); ten <= to; ten *= 10) {
      for (const s of steps) if (s * ten >= from && s * ten <= to) all.push(s * ten);
    }
    const every = Math.ceil(all.length / 8);
    return all.filter((_, i) => i % every === 0);
  }
  const step = (to - from) / 5;
  const ten = 10 ** Math.floor(Math.log10(step));
  const round = [1, 2, 5, 10].find((s) => s * ten >= step) * ten;
  for (let i = Math.ceil(from / round); i * round <= to * (1 + 1e-9); i++) all.push(i * round);
  return all;
}

// Plot is a drawing that fits its box. It has
//
//   points  {x, y, low, high, text, over, key}: measured values with intervals
//   curves  {class, values: [{x, y, low, high}]}: functions, with a band if there are bounds
//   lines   {class, text, values: [{x, y}]}: what to compare with
//   over    the x beyond which there are more threads than processors
class Plot {
  constructor(svg, { logarithmic, format, name }) {
    Object.assign(this, { svg, logarithmic, format, name, content: null });
    new ResizeObserver(() => this.draw()).observe(svg);
  }

  show(content) {
    this.content = content;
    this.draw();
  }

  // frame sets the scales and draws the axes.
  frame() {
    const { points, curves, lines, over } = this.content;
    const all = [...points, ...curves.flatMap((c) => c.values), ...lines.flatMap((l) => l.values)];
    const ys = all.flatMap((v) => [v.y, v.low ?? v.y, v.high ?? v.y]).filter((y) => Number.isFinite(y) && (!this.logarithmic || y > 0));
    const xs = all.map((v) => v.x);
    let low = this.logarithmic ? Math.min(...ys) / 1.15 : 0;
    let high = Math.max(...ys) * (this.logarithmic ? 1.15 : 1.08);
    if (!(high > low)) [low, high] = [this.logarithmic ? 0.5 : 0, 1];
    this.low = low;
    const width = this.svg.clientWidth || 480, height = this.svg.clientHeight || 300;
    const left = 62, right = width - 14, top = 12, bottom = height - 38;
    const from = Math.log2(Math.min(...xs)), to = Math.log2(Math.max(...xs));
    this.x = (v) => left + 12 + ((Math.log2(v) - from) / (to - from || 1)) * (right - left - 24);
    const scaled = this.logarithmic ? Math.log2 : (v) => v;
    this.y = (v) => bottom - ((scaled(Math.max(v, low)) - scaled(low)) / (scaled(high) - scaled(low))) * (bottom - top);
    this.svg.replaceChildren();
    if (over) {
      const x = this.x(over);
      this.svg.append(shape("rect", { class: "over", x, y: top, width: Math.max(0, right - x), height: bottom - top }));
    }
    for (const v of ticks(low, high, this.logarithmic)) {
      const y = this.y(v);
      this.svg.append(shape("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }));
      this.svg.append(shape("text", { class: "label", x: left - 6, y: y + 4, "text-anchor": "end" }, this.format(v)));
    }
    let free = -Infinity;
    for (const p of points) {
      const x = this.x(p.x);
      if (x < free) continue; // no room
      free = x + 12 + 7 * p.key.length;
      this.svg.append(shape("text", { class: "label", x, y: bottom + 16, "text-anchor": "middle" }, p.key));
    }
    this.svg.append(shape("text", { class: "label", x: (left + right) / 2, y: height - 6, "text-anchor": "middle" }, data.unit));
  }

  // path returns the line through values.
  path(values, get) {
    return values.map((v, i) => `${i ? "L" : "M"}${this.x(v.x).toFixed(1)} ${this.y(get(v)).toFixed(1)}`).join("");
  }

  draw() {
    if (!this.content) return;
    this.frame();
    const { points, curves, lines } = this.content;
    for (const l of lines) {
      this.svg.append(shape("path", { class: "line " + l.class, d: this.path(l.values, (v) => v.y) }, shape("title", {}, l.text)));
    }
    for (const c of curves) {
      const band = this.path(c.values, (v) => v.high) + this.path(c.values.toReversed(), (v) => v.low).replace("M", "L") + "Z";
      this.svg.append(shape("path", { class: "band " + c.class, d: band }));
      this.svg.append(shape("path", { class: "curve " + c.class, d: this.path(c.values, (v) => v.y) }));
    }
    for (const p of points) this.point(p);
    this.svg.setAttribute("aria-label", `${this.name}: ${points.map((p) => p.text).join(", ")}`);
  }

  point(p) {
    if (!Number.isFinite(p.y) || (this.logarithmic && !(p.y > 0))) return;
    const x = this.x(p.x), y = this.y(p.y);
    const g = shape("g", { class: p.over ? "point beyond" : "point", "data-count": p.key, "data-value": p.y }, shape("title", {}, p.text));
    if (p.low !== undefined) {
      g.append(shape("path", { class: "bar", d: `M${x} ${this.y(p.low)}L${x} ${this.y(p.high)}` }));
    }
    g.append(shape("circle", { cx: x, cy: y, r: 4.5 }));
    this.svg.append(g);
  }
}
