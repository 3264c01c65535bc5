// This is the flame graph of call paths, from the root down. A frame is as wide as the time
// with all paths below, or as the selected property's. Its colour is the lost part of the
// path's time. A click makes a path as wide as the graph.

const FRAME = 22; // height in pixels
const LEAST = 1.5; // smallest width of a visible frame in pixels

let flameRoot = 0;
let flameOf = "time";

function makeFlame() {
  const flame = $("flame");
  const zoom = (id) => { flameRoot = id; renderFlame(); };
  flame.addEventListener("click", (e) => {
    const frame = e.target.closest("button");
    if (!frame) return;
    const id = Number(frame.dataset.id);
    flameRoot = id;
    select({ path: id, reveal: true });
    flame.querySelector(`[data-id="${id}"]`)?.focus({ preventScroll: true });
  });
  flame.addEventListener("keydown", (e) => {
    const id = Number(e.target.dataset?.id ?? -1);
    if (id < 0) return;
    const p = paths[id];
    const siblings = p.parent >= 0 ? paths[p.parent].children.filter((c) => flame.querySelector(`[data-id="${c}"]`)) : [id];
    const at = siblings.indexOf(id);
    if (e.key === "Backspace" || e.key === "Escape") zoom(Math.max(0, paths[flameRoot].parent));
    const to = { ArrowUp: p.parent, ArrowDown: widest(p), ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1] }[e.key];
    const frame = to >= 0 && flame.querySelector(`[data-id="${to}"]`);
    if (frame) frame.focus();
    if (frame || e.key === "Backspace") e.preventDefault();
  });
  $("flame-out").addEventListener("click", () => zoom(Math.max(0, paths[flameRoot].parent)));
  $("flame-all").addEventListener("click", () => zoom(0));
  radios($("flame-of"), "of", flameOf, (of) => { flameOf = of; renderFlame(); });
  new ResizeObserver(renderFlame).observe(flame);
  listeners.push(renderFlame);
}

const flameMetric = () => (flameOf === "time" || selection.metric >= VISITS ? 0 : selection.metric);

const widest = (p) => {
  const v = values(flameMetric()).all;
  return p.children.reduce((best, c) => (best === undefined || v[c] > v[best] ? c : best), undefined);
};

// lossProperties are the outermost properties that are losses, so that they count each loss
// once.
const lossProperties = metrics.flatMap((m, i) => (m.loss && !metrics[m.parent].loss ? [i] : []));

function lossOf(path) {
  let lost = 0;
  for (const m of lossProperties) lost += values(m).all[path];
  return lost;
}

const WORK = metrics.findIndex((m) => m.key === "work");

function renderFlame() {
  const flame = $("flame");
  const width = flame.clientWidth;
  if (!width) return;
  const metric = flameMetric();
  const v = values(metric);
  const time = values(0).all;
  // A path without the property cannot fill the width, so take the nearest one around it that
  // can.
  while (flameRoot > 0 && !v.all[flameRoot]) flameRoot = paths[flameRoot].parent;
  const list = document.createDocumentFragment();
  let depth = 0, left = 0;
  const frame = (id, x, w, level, around) => {
    const p = paths[id];
    const lost = time[id] ? lossOf(id) / time[id] : 0;
    const c = weight(lost);
    const b = make("button", around ? "around" : "", p.label);
    b.dataset.id = id;
    b.dataset.value = v.all[id];
    b.tabIndex = id === selection.path || (id === flameRoot && !around) ? 0 : -1;
    b.title = `${chain(id).join(" › ")}\n${metrics[metric].name}: ${duration(v.all[id])}, ${percent(v.all[id], sumOf(metric))}\nlost: ${percent(lost, 1)} of ${duration(time[id])}`;
    b.setAttribute("role", "treeitem");
    b.setAttribute("aria-level", p.depth + 1);
    b.setAttribute("aria-selected", id === selection.path);
    Object.assign(b.style, { left: x + "px", width: Math.max(1, w) + "px", top: level * FRAME + "px", background: css(c), color: ink(c), fontSize: w < 24 ? "0" : "" });
    list.append(b);
    depth = Math.max(depth, level + 1);
  };
  // code lays out what a path's own work called, by its samples.
  const code = (id, tree, x, w, level) => {
    let at = x;
    for (const [c, inner] of [...tree.inner].sort((a, b) => b[1].n - a[1].n)) {
      const part = (inner.n / tree.n) * w;
      if (part < LEAST) { left++; continue; }
      const { function: name, file, line } = codes[c];
      const label = line ? `${name} ${file.slice(file.lastIndexOf("/") + 1)}:${line}` : name;
      const b = make("button", "code", label);
      b.dataset.id = id;
      b.dataset.samples = inner.n;
      b.tabIndex = -1;
      b.title = `${chain(id).join(" › ")} › ${label}\n${count(inner.n)} samples, ${percent(inner.n, calls(id).n)} of the construct's work`;
      b.setAttribute("role", "treeitem");
      b.setAttribute("aria-level", level + 1);
      Object.assign(b.style, { left: at + "px", width: Math.max(1, part) + "px", top: level * FRAME + "px", fontSize: part < 24 ? "0" : "" });
      list.append(b);
      depth = Math.max(depth, level + 1);
      code(id, inner, at, part, level + 1);
      at += part;
    }
  };
  const lay = (id, x, w, level) => {
    frame(id, x, w, level, false);
    let at = x;
    for (const c of [...paths[id].children].sort((a, b) => v.all[b] - v.all[a])) {
      const part = (v.all[c] / v.all[id]) * w;
      if (part >= LEAST) lay(c, at, part, level + 1);
      else left++;
      at += part;
    }
    const work = metric === WORK || within(WORK, metric) ? values(WORK).own[id] : 0;
    if (work && paths[id].stacks) code(id, calls(id), at, (work / v.all[id]) * w, level + 1);
  };
  const around = [];
  for (let p = paths[flameRoot].parent; p >= 0; p = paths[p].parent) around.unshift(p);
  around.forEach((id, level) => frame(id, 0, width, level, true));
  if (v.all[flameRoot]) lay(flameRoot, 0, width, around.length);
  const focused = flame.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
  flame.replaceChildren(list);
  if (focused !== undefined) flame.querySelector(`[data-id="${focused}"]`)?.focus({ preventScroll: true });
  flame.style.height = Math.max(1, depth) * FRAME + "px";
  $("flame-note").textContent = `Width: inclusive ${metrics[metric].name}, ${duration(v.all[flameRoot])}${left ? `; ${left} narrow paths left out` : ""}`;
}
