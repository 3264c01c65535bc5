// This is the table of POP's efficiencies: the factors of the run, and of the parallel region
// around the selected path. Each is followed by those whose product it is.

const efficiencyAt = new Map(); // factors by path of a parallel region

function makeEfficiency() {
  const { efficiency } = data;
  if (!efficiency) return;
  $("efficiency-panel").hidden = false;
  for (const g of efficiency.regions) for (const id of g.paths) efficiencyAt.set(id, g.parts);
  listeners.push(renderEfficiency);
}

// factorCell returns the cell of a factor: its colour is that of what is lost in the trees.
function factorCell(part) {
  if (!part) return make("td", "muted", "–");
  const box = make("span", "box");
  box.style.background = css(weight(1 - part.text));
  const cell = make("td", "", box, make("b", "", part.text));
  if (part.lost) cell.append(make("span", "lost", `${duration(part.lost)} lost`));
  cell.title = `${duration(part.lost)} lost of ${duration(part.whole)}`;
  return cell;
}

function renderEfficiency() {
  const { efficiency } = data;
  if (!efficiency) return;
  let id = selection.path;
  while (id >= 0 && !efficiencyAt.has(id)) id = paths[id].parent;
  const columns = [efficiency.run, ...(id < 0 ? [] : [efficiencyAt.get(id)])];
  $("efficiency-note").textContent = `The numbers below a number multiply to it; 0.80 and more are good.${id < 0 ? " What is selected is in no parallel region." : ""}`;
  const names = ["", efficiency.of, ...(id < 0 ? [] : [paths[id].label]), ""];
  const head = make("tr", "", ...names.map((name) => make("th", "", name)));
  for (const cell of head.children) cell.scope = "col";
  const body = make("tbody");
  let before = -1; // depth of the row before
  for (const [i, { name, long, what, depth }] of efficiency.factors.entries()) {
    const sign = depth > before ? "= " : "× ";
    const row = make("th", "", make("span", "muted", depth ? sign : ""), name);
    row.scope = "row";
    row.title = what;
    row.setAttribute("aria-label", long);
    row.style.paddingLeft = 14 * Math.max(0, depth - 1) + "px";
    body.append(make("tr", "", row, ...columns.map((parts) => factorCell(parts[i])), make("td", "what", what)));
    before = depth;
  }
  $("efficiency").replaceChildren(make("thead", "", head), body);
}
