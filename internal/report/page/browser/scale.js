// This file shows a study of opari scale: the plots of the run, what grows, and the regions.

const counts = data.counts;
const reference = counts.findIndex((c) => c.count === data.reference);
const beyond = counts.find((c) => c.more_than_processors);
const two = (v) => v.toFixed(2);
const words = (count) => `${count} ${count === "1" ? "thread" : data.unit}`;

// interval returns an estimate for a tooltip.
const interval = (e) => (e.low === undefined ? two(e.value) : `${two(e.value)} (${two(e.low)} to ${two(e.high)})`);

// measured returns the points of a plot: the value of each count, an estimate or null.
function measured(what, valueOf) {
  return counts.flatMap((c, i) => {
    const e = valueOf(c, i);
    if (!e) return [];
    return [{
      x: c.processors, y: e.value, low: e.low, high: e.high, key: c.count, over: c.more_than_processors,
      text: `${words(c.count)}: ${what} ${e.text ?? interval(e)}`,
    }];
  });
}

// limit is where the shade for too many threads begins: between the counts on its sides.
const limit = () => {
  if (!beyond) return 0;
  const within = counts.findLast((c) => !c.more_than_processors);
  return within ? Math.sqrt(within.processors * beyond.processors) : beyond.processors;
};

// inverted turns the curve of wall times into one of speedups or efficiencies.
const inverted = (curve, value) => curve.map((v) => ({ x: v.processors, y: value(v.wall_ns, v), low: value(v.high_ns, v), high: value(Math.max(v.low_ns, 1), v) }));

const first = counts[0];
const ends = [first.processors, counts.at(-1).processors];

function showRun() {
  const curve = data.run.curve ?? [];
  const speedup = new Plot($("speedup"), { logarithmic: true, format: (v) => String(Number(v.toPrecision(3))), name: "Speedup" });
  const ideal = ends.map((x) => ({ x, y: x / first.processors }));
  speedup.show({
    points: measured("speedup", (c) => c.speedup),
    curves: curve.length ? [{ class: "", values: inverted(curve, (wall) => first.wall_ns / wall) }] : [],
    lines: [{ class: "", text: "ideal", values: ideal }], over: limit(),
  });
  const efficiency = new Plot($("efficiency"), { logarithmic: false, format: two, name: "Efficiency" });
  efficiency.show({
    points: measured("efficiency", (c) => c.efficiency),
    curves: curve.length ? [{ class: "", values: inverted(curve, (wall, v) => (first.wall_ns * first.processors) / (wall * v.processors)) }] : [],
    lines: [{ class: "", text: "ideal", values: ends.map((x) => ({ x, y: 1 })) }], over: limit(),
  });
}

function cell(text, className = "") {
  return make("td", className, text);
}

function headRow(table, titles) {
  const row = make("tr");
  for (const [title, className] of titles) row.append(make("th", className ?? "", title));
  table.append(make("thead", "", row));
}

// bars draws the times of a row by count.
function bars(times) {
  const most = Math.max(...times, 1), width = 84 / times.length;
  const svg = shape("svg", { viewBox: "0 0 84 18", "aria-hidden": "true" });
  times.forEach((t, i) => {
    const height = (18 * Math.max(0, t)) / most;
    svg.append(shape("rect", { class: counts[i].more_than_processors ? "beyond" : "", x: i * width, y: 18 - height, width: width - 1.5, height }));
  });
  return make("td", "bars", svg);
}

function showFactors() {
  headRow($("factors"), [["factor", "text"], ...counts.map((c) => ["at " + c.count])]);
  const body = make("tbody");
  for (const f of data.factors) {
    const row = make("tr", "", cell("\u2003".repeat(f.depth) + f.name, "text"));
    f.values.forEach((v, i) => row.append(cell(two(v), counts[i].more_than_processors ? "beyond" : two(v) < 0.8 ? "low" : "")));
    body.append(row);
  }
  $("factors").append(body);
}

function showGrowth() {
  const table = $("growth"), last = counts[reference];
  $("growth-note").textContent = `from ${words(first.count)} to ${words(last.count)}: ${duration(first.wall_ns * first.processors)} to ${duration(last.wall_ns * last.processors)} in all`;
  headRow(table, [["verdict", "text"], ["change"], ["share"], ["by count"], ...counts.map((c) => ["at " + c.count]), ["grows like"], ["property", "text"], ["region", "text"]]);
  const body = make("tbody");
  for (const g of data.growth ?? []) {
    const change = (g.growth_ns.value > 0 ? "+" : "") + duration(g.growth_ns.value);
    const row = make("tr", "", cell(g.verdict, "text"), cell(change), cell(g.share > 0 ? `${Math.round(100 * g.share)} %` : "-"), bars(g.processor_ns));
    g.processor_ns.forEach((t, i) => row.append(cell(duration(t), counts[i].more_than_processors ? "beyond" : "")));
    row.append(cell(g.like ?? "-", "mono"), cell(g.name, "text"), cell(g.region, "text mono"));
    if (g.growth_ns.low !== undefined) row.cells[1].title = `${duration(g.growth_ns.low)} to ${duration(g.growth_ns.high)}`;
    body.append(row);
    if (g.advice) {
      const advice = make("td", "advice", "→ " + g.advice);
      advice.colSpan = counts.length + 7;
      body.append(make("tr", "", advice));
    }
  }
  if (!body.children.length) {
    const none = make("td", "advice", "nothing");
    none.colSpan = counts.length + 7;
    body.append(make("tr", "", none));
  }
  table.append(body);
}

// Regions with less than one percent of the wall time at each count are behind a button.
const small = (g) => g.counts.every((p, i) => p.wall_ns < counts[i].wall_ns / 100);
let regionPlot, chosen = -1;

function showRegions(everything) {
  const table = $("regions");
  table.replaceChildren();
  headRow(table, [["region (without regions in it)", "text"], ["wall at " + counts[reference].count], ...counts.slice(1).map((c) => ["at " + c.count]), ["model of the wall time"]]);
  const body = make("tbody");
  data.regions.forEach((g, id) => {
    if (!everything && small(g)) return;
    const row = make("tr", "", cell(g.name, "text mono"), cell(duration(g.counts[reference].wall_ns)));
    row.dataset.id = id;
    row.setAttribute("aria-selected", id === chosen);
    row.tabIndex = id === chosen ? 0 : -1;
    g.counts.slice(1).forEach((p, i) => {
      const c = cell(p.efficiency ? two(p.efficiency.value) : "-", counts[i + 1].more_than_processors ? "beyond" : "");
      if (p.efficiency) c.title = interval(p.efficiency);
      row.append(c);
    });
    row.append(cell(g.formula ?? "-", "mono"));
    body.append(row);
  });
  table.append(body);
  const hidden = data.regions.filter(small).length;
  $("all").hidden = !hidden;
  $("all").textContent = everything ? "Large regions only" : `All ${data.regions.length} regions`;
  $("all").onclick = () => showRegions(!everything);
}

function choose(id) {
  chosen = id;
  for (const row of $("regions").tBodies[0].rows) {
    const is = Number(row.dataset.id) === id;
    row.setAttribute("aria-selected", is);
    row.tabIndex = is ? 0 : -1;
  }
  const g = data.regions[id];
  $("region-name").textContent = g.name;
  const curve = (g.curve ?? []).map((v) => ({ x: v.processors, y: v.wall_ns, low: Math.max(v.low_ns, 0), high: v.high_ns }));
  const start = g.counts[0].wall_ns;
  regionPlot.show({
    points: measured("wall time", (c, i) => ({ value: g.counts[i].wall_ns, text: duration(g.counts[i].wall_ns) })),
    curves: curve.length ? [{ class: "", values: curve }] : [],
    lines: start > 0 ? [{ class: "", text: "ideal", values: ends.map((x) => ({ x, y: (start * first.processors) / x })) }] : [],
    over: limit(),
  });
  $("region-model").textContent = g.model ? modelText(g) : `No model: ${g.no_model}.`;
}

// modelText says what the model of a region is, and how sure.
function modelText(g) {
  const m = g.model;
  let text = `Wall time = ${g.formula}, from ${m.least_processors} to ${m.most_processors} processors`;
  if (m.term.power || m.term.log) text += `; adjusted R² ${m.adjusted_r2.toFixed(3)}`;
  else text += "; its processor time does not grow beyond the noise";
  if (m.rivals?.length) text += `; ${m.rivals.length} more functions explain the runs as well`;
  return text + ". p is the number of processors; dashed: ideal.";
}

function start() {
  themes(() => {}); // style sheets recolour drawings by themselves
  const program = data.program || "program";
  $("program").textContent = program.slice(program.lastIndexOf("/") + 1) + ": what more threads bring";
  $("sentence").textContent = data.sentence;
  const last = counts[reference];
  $("figures").append(
    figure("pays up to", data.pays_up_to, data.why),
    figure("speedup at " + last.count, two(last.speedup.value), interval(last.speedup)),
    figure("efficiency", two(last.efficiency.value), interval(last.efficiency)),
  );
  if (data.run.serial) $("figures").append(figure("serial part", (100 * data.run.serial.value).toFixed(1) + " %", "by Amdahl's law: " + interval(data.run.serial)));
  if (data.processors) $("figures").append(figure("processors", String(data.processors)));
  $("warning").replaceChildren(...(data.notes ?? []).map((note) => make("span", "", note)));
  $("warning").hidden = !data.notes?.length;
  for (const e of document.querySelectorAll(".modelled")) e.hidden = !data.run.curve;
  for (const e of document.querySelectorAll(".shaded")) e.hidden = !beyond;
  showRun();
  showFactors();
  showGrowth();
  regionPlot = new Plot($("region"), { logarithmic: true, format: duration, name: "Wall time" });
  showRegions(false);
  const table = $("regions");
  table.addEventListener("click", (e) => {
    const row = e.target.closest("tr[data-id]");
    if (row) choose(Number(row.dataset.id));
  });
  table.addEventListener("keydown", (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    const row = e.target.closest("tr[data-id]");
    if (!step || !row) return;
    const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
    if (next) {
      choose(Number(next.dataset.id));
      next.focus();
    }
    e.preventDefault();
  });
  const shown = table.tBodies[0].rows[0];
  if (shown) choose(Number(shown.dataset.id));
  $("remarks").replaceChildren(...data.remarks.map((r) => make("p", "", r)));
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

start();
