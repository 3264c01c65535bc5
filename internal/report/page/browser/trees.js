// The three linked trees. A closed node shows its value with everything below it, and an open
// node its own value. The values of a tree are a column at the left, in one unit.

// Tree is a tree view in ARIA's pattern: one row is in the tab order, arrow keys move, and
// letters search.
class Tree {
  // source has roots, children(id), parent(id), label(id), title(id) and chosen(). It also has
  // value(id, open) in the metric's unit, text(id, value), and part(id, open) from 0 to 1.
  constructor(element, source, choose) {
    Object.assign(this, { element, source, choose, open: new Set(), around: new Set(), rows: [], typed: "", typedAt: 0 });
    element.addEventListener("click", (e) => this.click(e));
    element.addEventListener("dblclick", (e) => this.withRow(e, (id) => this.toggle(id)));
    element.addEventListener("keydown", (e) => this.key(e));
  }

  withRow(event, act) {
    const row = event.target.closest(".row");
    if (row) act(Number(row.dataset.id), event);
  }

  click(event) {
    this.withRow(event, (id) => {
      if (event.target.className === "twisty") this.toggle(id);
      else this.choose(id);
      this.focus(id);
    });
  }

  // children returns the visible children: without those with nothing but zeros, if these are
  // hidden. What leads to the selected node stays.
  children(id) {
    const all = this.source.children(id);
    return hideZeros ? all.filter((c) => this.source.value(c, false) || this.around.has(c)) : all;
  }

  toggle(id, open = !this.open.has(id)) {
    if (!this.children(id).length) return;
    if (open) this.open.add(id);
    else this.open.delete(id);
    this.changed?.(id);
    this.render();
  }

  // reveal opens the nodes around a node.
  reveal(id) {
    for (let p = this.source.parent(id); p !== undefined && p >= 0; p = this.source.parent(p)) this.open.add(p);
  }

  render() {
    const had = this.element.contains(document.activeElement);
    const at = this.element.scrollTop;
    const chosen = this.source.chosen();
    const list = document.createDocumentFragment();
    this.rows = [];
    this.around = new Set();
    for (let id = chosen; id !== undefined && id >= 0; id = this.source.parent(id)) this.around.add(id);
    const add = (id, level) => {
      const children = this.children(id);
      const open = children.length > 0 && this.open.has(id);
      list.append(this.row(id, level, children.length, open, id === chosen));
      this.rows.push(id);
      if (open) for (const c of children) add(c, level + 1);
    };
    for (const r of this.source.roots) add(r, 1);
    const longest = Math.max(...[...list.children].map((row) => row.querySelector(".value").textContent.length));
    this.element.style.setProperty("--value", longest + "ch");
    this.element.replaceChildren(list);
    this.element.scrollTop = at;
    const tab = this.rows.includes(chosen) ? chosen : this.rows[0];
    const row = this.find(tab);
    if (row) row.tabIndex = 0;
    if (had) row?.focus({ preventScroll: true });
  }

  row(id, level, children, open, chosen) {
    const { source } = this;
    const value = source.value(id, open);
    const row = make("div", value ? "row" : "row zero");
    row.dataset.id = id;
    row.dataset.value = value;
    row.tabIndex = -1;
    row.title = source.title(id);
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", level);
    row.setAttribute("aria-selected", chosen);
    if (children) row.setAttribute("aria-expanded", open);
    const box = make("span", "box");
    box.style.background = css(weight(source.part(id, open)));
    const twisty = make("span", "twisty", children ? (open ? "▼" : "▶") : "");
    twisty.style.marginLeft = (level - 1) * 16 + "px";
    row.append(make("span", "value", source.text(id, value)), box, twisty, make("span", "label", ...source.label(id)));
    return row;
  }

  find(id) {
    return this.element.querySelector(`[data-id="${id}"]`);
  }

  focus(id) {
    for (const row of this.element.querySelectorAll('[tabindex="0"]')) row.tabIndex = -1;
    const row = this.find(id);
    if (!row) return;
    row.tabIndex = 0;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  show(id) {
    const row = this.find(id);
    if (!row) return;
    const { top, bottom } = this.element.getBoundingClientRect();
    const r = row.getBoundingClientRect();
    if (r.top < top || r.bottom > bottom) this.element.scrollTop += r.top - top - (bottom - top) / 2;
  }

  key(event) {
    const row = event.target.closest(".row");
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const id = Number(row.dataset.id);
    const at = this.rows.indexOf(id);
    const children = this.children(id);
    const go = (to) => to !== undefined && to >= 0 && this.move(to);
    switch (event.key) {
      case "ArrowDown": go(this.rows[at + 1]); break;
      case "ArrowUp": go(this.rows[at - 1]); break;
      case "Home": go(this.rows[0]); break;
      case "End": go(this.rows.at(-1)); break;
      case "ArrowRight":
        if (children.length && !this.open.has(id)) this.keep(id, true);
        else if (children.length) go(children[0]);
        break;
      case "ArrowLeft":
        if (this.open.has(id)) this.keep(id, false);
        else go(this.source.parent(id));
        break;
      case "Enter": case " ": this.choose(id); this.focus(id); break;
      case "*": for (const c of this.source.children(this.source.parent(id)) || []) this.open.add(c); this.render(); this.focus(id); break;
      default:
        if (event.key.length !== 1 || event.key === "/") return;
        this.type(event.key.toLowerCase(), at, event.timeStamp);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // move focuses a row and selects it, so that the trees on the right follow.
  move(id) {
    this.choose(id);
    this.focus(id);
  }

  keep(id, open) {
    this.toggle(id, open);
    this.focus(id);
  }

  type(letter, at, now) {
    this.typed = now - this.typedAt < 700 ? this.typed + letter : letter;
    this.typedAt = now;
    for (let i = 0; i < this.rows.length; i++) {
      const id = this.rows[(at + i + (this.typed.length > 1 ? 0 : 1)) % this.rows.length];
      if (this.find(id).lastChild.textContent.toLowerCase().startsWith(this.typed)) return this.focus(id);
    }
  }
}

const both = (metric, all, own) => `inclusive: ${valueText(metric, all)}\nexclusive: ${valueText(metric, own)}`;

let hideZeros = true;

// shown formats a value in the selected mode. Times have the unit of a column, whose largest value
// is most.
function shown(metric, value, of, most) {
  if (selection.mode === "absolute") {
    const unit = metrics[metric].unit && unitOf(most);
    return unit ? `${fixed(value, unit)} ${unit.name}` : count(value);
  }
  const text = percent(value, selection.mode === "total" ? totalOf(metric) : of);
  return text === "0" ? zero(1) + " %" : text;
}

let propertyTree, pathTree, threadTree;

// ofPath returns the value that the thread tree divides: the selected path's own value if its
// node is open, or else the value with all paths below.
function ofPath(thread) {
  const v = values(selection.metric, thread);
  const open = paths[selection.path].children.length > 0 && pathTree.open.has(selection.path);
  return open ? v.own[selection.path] : v.all[selection.path];
}

function makeTrees() {
  const roots = metrics.flatMap((m, i) => (m.parent < 0 ? [i] : []));
  const propertyValue = (id, open) => (open ? 0 : sumOf(id)); // only leaves have severities
  propertyTree = new Tree($("properties"), {
    roots,
    children: (id) => metrics[id]?.children ?? [],
    parent: (id) => metrics[id].parent,
    value: propertyValue,
    part: (id, open) => propertyValue(id, open) / totalOf(id),
    text: (id, v) => shown(id, v, totalOf(id), sumOf(0)),
    label: (id) => [metrics[id].name],
    title: (id) => `${metrics[id].what}\n${both(id, sumOf(id), metrics[id].children.length ? 0 : sumOf(id))}`,
    chosen: () => selection.metric,
  }, (metric) => select({ metric }));

  const pathValue = (id, open) => values(selection.metric)[open ? "own" : "all"][id];
  pathTree = new Tree($("paths"), {
    roots: [0],
    children: (id) => paths[id]?.children ?? [],
    parent: (id) => paths[id].parent,
    value: pathValue,
    part: (id, open) => pathValue(id, open) / sumOf(selection.metric),
    text: (id, v) => shown(selection.metric, v, sumOf(selection.metric), sumOf(selection.metric)),
    label: (id) => [paths[id].name, make("span", "place", paths[id].place ? " " + paths[id].place : "")],
    title: (id) => `${paths[id].file ? paths[id].file + ":" + paths[id].line + "\n" : ""}${both(selection.metric, pathValue(id, false), pathValue(id, true))}`,
    chosen: () => selection.path,
  }, (path) => select({ path }));
  pathTree.changed = (id) => id === selection.path && renderThreads();

  // The value of a location is the sum over its threads.
  const atLocation = (id) => (id === MACHINE ? ofPath(-1) : locations[id].threads.reduce((sum, t) => sum + ofPath(t), 0));
  const threadValue = (id, open) => (open ? 0 : atLocation(id));
  threadTree = new Tree($("threads"), {
    roots: [MACHINE],
    children: (id) => locations[id]?.children ?? [],
    parent: (id) => locations[id].parent,
    value: threadValue,
    part: (id, open) => threadValue(id, open) / ofPath(-1),
    text: (id, v) => shown(selection.metric, v, ofPath(-1), ofPath(-1)),
    label: (id) => [locations[id].name],
    title: (id) => (id === MACHINE ? "" : valueText(selection.metric, atLocation(id))),
    chosen: () => (selection.thread < 0 ? selection.around : selection.thread),
  }, (id) => select(id < MACHINE ? { thread: id } : { thread: -1, around: id }));

  for (const id of [0, ...metrics.keys()]) if (metrics[id].parent < 0 || metrics[metrics[id].parent].parent < 0) propertyTree.open.add(id);
  for (const p of paths) if (p.depth < 2) pathTree.open.add(p.id);
  threadTree.open.add(MACHINE);
  if (locations.length - threads.length <= 40) locations.forEach((l, id) => l.children.length && threadTree.open.add(id));
  $("zeros").addEventListener("change", () => { hideZeros = $("zeros").checked; renderTrees(); });
  listeners.push(renderTrees);
}

function renderThreads() {
  const open = pathTree.open.has(selection.path) && paths[selection.path].children.length > 0;
  $("threads-title").textContent = selection.metric === CRITICAL ? "Thread: the critical path is not that of one thread" : `Thread: in ${paths[selection.path].label}${open ? " itself" : ""}`;
  threadTree.render();
}

// renderTrees shows the selection. With reveal, for a change from another view, it also opens
// the nodes around the selection.
function renderTrees(change = {}) {
  if (change.reveal) {
    propertyTree.reveal(selection.metric);
    pathTree.reveal(selection.path);
    if (selection.thread >= 0) threadTree.reveal(selection.thread);
  }
  $("properties-title").textContent = `Property: ${metrics[selection.metric].what}`;
  $("paths-title").textContent = `Call path: ${metrics[selection.metric].name} ${valueText(selection.metric, sumOf(selection.metric))}`;
  propertyTree.render();
  pathTree.render();
  renderThreads();
  if (change.reveal) {
    propertyTree.show(selection.metric);
    pathTree.show(selection.path);
  }
}
