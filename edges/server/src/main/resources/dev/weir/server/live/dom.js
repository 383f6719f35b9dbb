// Builds elements. Data becomes text nodes and attributes, never markup: nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) {
      node.addEventListener(name.slice(2), value);
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, value);
    }
  }
  node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

/** An HTML element; children are nodes and texts, attributes named on… are listeners. */
export const el = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** The same in SVG. */
export const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** Sets a text if it differs, so that screen readers and selections are left alone. */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/** Sets or removes an attribute, if that changes anything. */
export function setAttribute(node, name, value) {
  if (value === null || value === false) {
    node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value);
  }
}

/** Shows an icon of paths in a 24 by 24 field. */
export function setIcon(node, ...paths) {
  const key = paths.join("|");
  if (node.dataset.paths !== key) {
    node.dataset.paths = key;
    node.replaceChildren(...paths.map((d) => svg("path", { d })));
  }
}

export const ICONS = {
  ok: ["M5 12.5l4.5 4.5L19 7.5"],
  warn: ["M12 4v10", "M12 18.5v1"],
  bad: ["M6 6l12 12", "M18 6L6 18"],
  unknown: ["M8.5 8.5a3.5 3.5 0 1 1 5 3.200c-1 .6-1.5 1.2-1.5 2.5", "M12 18.5v.5"],
};

const held = matchMedia("(hover: hover)");

/** Whether somebody points at a list or has its focus: then its rows must not move away. */
export const isHeld = (node) =>
  (held.matches && node.matches(":hover")) || node.contains(document.activeElement);

/** Above that, rows that have gone go also from a list that somebody points at. */
const MAX_HELD = 100;

/**
 * The rows of a list, one for each item, which are kept while their items are there.
 *
 * While the list is held, rows keep their places, and those of items that have gone stay, marked.
 */
export class Rows {
  constructor(parent, create) {
    this.parent = parent;
    this.create = create;
    this.rows = new Map();
  }

  show(items, keyOf) {
    const hold = this.rows.size <= MAX_HELD && isHeld(this.parent);
    const wanted = new Set();
    for (const item of items) {
      const key = keyOf(item);
      wanted.add(key);
      let row = this.rows.get(key);
      if (row === undefined) {
        row = this.create(item);
        this.rows.set(key, row);
        this.parent.append(row.node);
      }
      row.node.classList.remove("gone");
      row.update(item);
    }
    for (const [key, row] of this.rows) {
      if (wanted.has(key)) {
        continue;
      }
      if (hold) {
        row.node.classList.add("gone");
      } else {
        row.node.remove();
        this.rows.delete(key);
      }
    }
    if (!hold) {
      this.order(items.map((item) => this.rows.get(keyOf(item)).node));
    }
  }

  clear() {
    this.rows.clear();
    this.parent.replaceChildren();
  }

  order(nodes) {
    nodes.forEach((node, at) => {
      const there = this.parent.children[at];
      if (there !== node) {
        this.parent.insertBefore(node, there ?? null);
      }
    });
  }
}

const FEW = 10;

/** Shows the first rows of a list, and a button for the others, if there are any. */
export class Fold {
  constructor(list) {
    this.list = list;
    this.button = el("button", { type: "button", class: "small fold", "aria-expanded": "false", onclick: () => this.toggle() });
    this.list.classList.add("few");
    this.update();
  }

  toggle() {
    this.list.classList.toggle("few");
    this.update();
  }

  update() {
    const all = this.list.children.length;
    const few = this.list.classList.contains("few");
    this.button.hidden = all <= FEW;
    setText(this.button, few ? `Show all ${all}` : `Show ${FEW}`);
    setAttribute(this.button, "aria-expanded", String(!few));
  }
}

let spoken = "";

/** Says something to screen readers, once. */
export function announce(text) {
  if (text !== spoken) {
    spoken = text;
    byId("announcer").textContent = text;
  }
}
