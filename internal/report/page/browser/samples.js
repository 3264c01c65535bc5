// This file has the samples of the selected path and of those below it: which lines of the source
// the threads were at while they worked.

const codes = data.codes ?? [];
const FEW_SAMPLES = 20;

// included reports whether the selection includes a thread. All threads together include each.
const included = (thread) => (selection.thread < 0 && selection.around === MACHINE) || chosenAt(thread);

// heatOf returns the samples by code at a path and below it: self where they stand, and all with
// the functions called there. Code without a line counts for its caller's line.
function heatOf(path) {
  const heat = { self: new Map(), all: new Map(), sum: 0 };
  const add = (map, key, n) => map.set(key, (map.get(key) ?? 0) + n);
  const key = (n) => (codes[n].line ? `${codes[n].file}:${codes[n].line}` : codes[n].function);
  paths.forEach((p) => {
    if (!p.stacks || !below(p.id, path)) return;
    for (const [thread, n, ...chain] of p.stacks) {
      if (!included(thread)) continue;
      heat.sum += n;
      let last = chain.length - 1;
      if (last >= 0 && codes[chain[last]].function !== data.measuring) while (last > 0 && !codes[chain[last]].line && chain.slice(0, last).some((c) => codes[c].line)) last--;
      if (last < 0) { add(heat.self, "unknown code", n); continue; }
      add(heat.self, key(chain[last]), n);
      for (const k of new Set(chain.slice(0, last + 1).map(key))) add(heat.all, k, n);
    }
  });
  return heat;
}

// heatCell returns the cell of a line in the source: a bar and the share of the samples.
function heatCell(heat, file, line) {
  const n = heat.self.get(`${file}:${line}`) ?? 0;
  const all = heat.all.get(`${file}:${line}`) ?? 0;
  const cell = make("span", "heat", n ? percent(n, heat.sum) : all ? "·" : "");
  if (n || all) cell.title = `${count(n)} of ${count(heat.sum)} samples here, ${count(all)} with what it calls`;
  const part = heat.sum ? n / heat.sum : 0;
  if (n) cell.style.background = `linear-gradient(to right, rgb(${weight(part).join(" ")} / 0.6) ${100 * part}%, transparent 0)`;
  return cell;
}

const placeOf = (c) => (c.line ? `${c.file.slice(c.file.lastIndexOf("/") + 1)}:${c.line}` : "");

// renderHeat lists the lines with most samples below the source.
function renderHeat(box, heat) {
  if (!heat.sum) return;
  const few = heat.sum < FEW_SAMPLES ? "; few samples, so that the shares are hints" : "";
  box.append(make("p", "muted", `${count(heat.sum)} samples while working, ${duration((heat.sum * 1e9) / data.rate)}${few}`));
  const named = new Map(codes.map((c) => [c.line ? `${c.file}:${c.line}` : c.function, c]));
  const table = box.appendChild(make("table", "hot"));
  const rows = [...heat.self].sort((a, b) => b[1] - a[1]);
  for (const [key, n] of rows.slice(0, 8)) {
    const c = named.get(key) ?? { function: key };
    table.append(make("tr", "", make("td", "", percent(n, heat.sum)), make("td", "", placeOf(c)), make("td", "", c.function), make("td", "muted code", c.text ?? "")));
  }
  if (rows.length > 8) box.append(make("p", "muted", `and ${rows.length - 8} more lines`));
}

// calls returns the tree of the codes below a path, with their samples of all threads.
const callTrees = new Map();
function calls(path) {
  let root = callTrees.get(path);
  if (root) return root;
  root = { n: 0, inner: new Map() };
  for (const [, n, ...chain] of paths[path].stacks ?? []) {
    let at = root;
    at.n += n;
    for (const c of chain) {
      if (!at.inner.has(c)) at.inner.set(c, { n: 0, inner: new Map() });
      at = at.inner.get(c);
      at.n += n;
    }
  }
  callTrees.set(path, root);
  return root;
}
