// This file has the values of the page's three dimensions.

// unitOf returns the unit for a column of times with the given largest one, so that small times
// have digits, too.
const units = [["ns", 1, 0], ["µs", 1e3, 3], ["ms", 1e6, 3], ["s", 1e9, 3]].map(([name, size, digits]) => ({ name, size, digits }));
const unitOf = (most) => units.find((u) => most < 9999.5 * u.size) ?? units.at(-1);

// zero is as wide as a number with so many digits behind its point.
const zero = (digits) => "0" + (digits ? "\u2008" + "\u2007".repeat(digits) : "");

// fixed formats a time as a number of units, with the same digits for each time.
function fixed(ns, { size, digits }) {
  if (!ns) return zero(digits);
  const text = (ns / size).toFixed(digits);
  if (Number(text) === 0) return "< " + (10 ** -digits).toFixed(digits);
  const [whole, part] = text.split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") + (part ? "." + part : "");
}

function count(n) {
  return Math.round(n).toLocaleString("en").replaceAll(",", "\u202f");
}

function percent(part, total) {
  if (!part || !total) return "0";
  const p = (100 * part) / total;
  return (p < 0.1 ? "< 0.1" : p.toFixed(1)) + " %";
}

// metrics are the properties and two more roots: the number of visits of a path, and its time
// on the critical path if there is one.
const metrics = data.properties.map((p) => ({ ...p, unit: "ns", children: [], leaves: [] }));
const VISITS = metrics.length;
const CRITICAL = VISITS + 1;
metrics.push({ parent: -1, key: "visits", name: "visits", what: "how often a call path was entered", unit: "", children: [], leaves: [] });
if (!data.noCritical) metrics.push({ parent: -1, key: "critical", name: "critical path", what: "time on the longest chain of work and waiting through the run", unit: "ns", children: [], leaves: [] });
metrics.forEach((m, i) => m.parent >= 0 && metrics[m.parent].children.push(i));
metrics.forEach((m, i) => {
  if (m.children.length || i >= VISITS) return;
  for (let p = i; p >= 0; p = metrics[p].parent) metrics[p].leaves.push(i);
});
const within = (metric, around) => {
  for (; metric >= 0; metric = metrics[metric].parent) if (metric === around) return true;
  return false;
};

// In paths, parents come before their children.
const paths = data.paths.map((p, id) => ({ ...p, id, children: [], depth: 0 }));
for (const p of paths) {
  p.severity ??= {};
  p.base = p.file ? p.file.slice(p.file.lastIndexOf("/") + 1) : "";
  p.place = p.base ? p.base + ":" + p.line : "";
  p.label = p.place ? p.name + " " + p.place : p.name;
  if (p.parent < 0) continue;
  paths[p.parent].children.push(p.id);
  p.depth = paths[p.parent].depth + 1;
}
const threads = data.threads.map((t, id) => ({ ...t, id }));

// locations are the threads, the machine, and between them the known nodes and processes.
const MACHINE = threads.length;
const locations = threads.map((t) => ({ name: t.name, parent: MACHINE, children: [], threads: [t.id] }));
locations.push({ name: "all threads", parent: -1, children: [], threads: threads.map((t) => t.id) });
{
  const known = new Map();
  threads.forEach((t, id) => {
    let at = MACHINE;
    for (const name of [t.node, t.process]) {
      if (!name) continue;
      const key = at + " " + name;
      if (!known.has(key)) {
        known.set(key, locations.length);
        locations[at].children.push(locations.length);
        locations.push({ name, parent: at, children: [], threads: [] });
      }
      at = known.get(key);
      locations[at].threads.push(id);
    }
    locations[id].parent = at;
    locations[at].children.push(id);
  });
}

// chosenAt reports whether a thread is selected, by itself or by a location around it. The
// machine, which is all threads together, does not count.
const chosenAt = (thread) => {
  if (selection.thread >= 0) return thread === selection.thread;
  for (let at = locations[thread].parent; at > MACHINE; at = locations[at].parent) if (at === selection.around) return true;
  return false;
};

// below reports whether a path equals another one or is below it.
function below(id, around) {
  for (; id >= around && id >= 0; id = paths[id].parent) if (id === around) return true;
  return false;
}

// chain returns the names of a path from the root on.
function chain(id) {
  const names = [];
  for (; id > 0; id = paths[id].parent) names.unshift(paths[id].label);
  return names.length ? names : [paths[0].label];
}

// ownOf returns the value of a metric at a path alone, for one thread, or for all with thread <
// 0.
function ownOf(metric, path, thread) {
  const p = paths[path];
  if (metric === CRITICAL) return thread < 0 ? p.critical || 0 : 0;
  if (metric === VISITS) {
    if (!p.visits) return 0;
    return thread >= 0 ? p.visits[thread][0] : p.visits.reduce((sum, v) => sum + v[0], 0);
  }
  let sum = 0;
  for (const leaf of metrics[metric].leaves) {
    const row = p.severity[leaf];
    if (!row) continue;
    if (thread >= 0) sum += row[thread];
    else for (const t of row) sum += t;
  }
  return sum;
}

const cached = new Map();

// values returns a metric's values by path: of the path alone, and with all paths below it.
function values(metric, thread = -1) {
  const key = metric * (threads.length + 1) + thread + 1;
  let v = cached.get(key);
  if (v) return v;
  v = { own: new Float64Array(paths.length), all: new Float64Array(paths.length) };
  for (let i = paths.length - 1; i >= 0; i--) {
    v.own[i] = ownOf(metric, i, thread);
    v.all[i] += v.own[i];
    if (paths[i].parent >= 0) v.all[paths[i].parent] += v.all[i];
  }
  if (cached.size > 400) cached.clear();
  cached.set(key, v);
  return v;
}

const sumOf = (metric) => values(metric).all[0];

// rootOf returns the root of a metric. A metric's percentages relate to its root's sum: all
// processor time, all visits, or the length of the critical path.
const rootOf = (metric) => {
  while (metrics[metric].parent >= 0) metric = metrics[metric].parent;
  return metric;
};
const totalOf = (metric) => sumOf(rootOf(metric));

const valueText = (metric, value) => (metrics[metric].unit ? duration(value) : count(value));

// selection is the state of the three trees and the way to show values. Views listen to its
// changes.
const selection = { metric: 0, path: 0, thread: -1, around: MACHINE, mode: "absolute", finding: -1, group: -1, hint: -1 };
const listeners = [];
function select(change) {
  if ("thread" in change) selection.around = MACHINE;
  Object.assign(selection, { finding: -1, group: -1, hint: -1 }, change);
  for (const f of listeners) f(change);
}

// colour resolves a variable of the style sheet to [r, g, b].
const probe = document.body.appendChild(make("span", "hidden"));
function colour(name) {
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
}

let ramp = [];

// weight returns the colour of a part from 0 to 1. It scales with the square root, so that
// small losses are visible.
function weight(part) {
  const x = Math.sqrt(Math.min(1, Math.max(0, part || 0))) * 3;
  const i = Math.min(2, Math.floor(x));
  return mix(ramp[i], ramp[i + 1], x - i);
}

const mix = (a, b, f) => a.map((v, i) => Math.round(v + (b[i] - v) * f));
const css = (c) => `rgb(${c[0]} ${c[1]} ${c[2]})`;

// ink returns black or white, whichever is easier to read on a colour.
const ink = (c) => (0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2] > 140 ? "#10151b" : "#ffffff");

// gradient shows the scale of colours in an element.
function gradient(element) {
  const stops = [];
  for (let i = 0; i <= 12; i++) stops.push(css(weight(i / 12)));
  element.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
}
