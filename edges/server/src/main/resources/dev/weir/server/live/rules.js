// What each rule denies, beside an hour ago, and how much of its limits is in use.

import { el, Fold, Rows, setAttribute, setText, svg } from "./dom.js";
import { rate } from "./format.js";

const HOUR_SECONDS = 3_600 + 60;
const NEAR = 80;
const WIDTH = 96;
const HEIGHT = 22;
const COLUMNS = ["Rule", "Last minute", "Per second", "An hour ago", "Change"];

/** Says what would be in a place where nothing is. */
export const empty = (title, more) => el("div", { class: "empty" }, el("p", null, title), el("p", null, more));

/** Shows one of two things. */
export function showOne(shown, hidden) {
  shown.hidden = false;
  hidden.hidden = true;
}

function change(now, before, known) {
  if (!known) {
    return ["", "this server started less than an hour ago"];
  }
  if (before === 0) {
    return now === 0 ? ["", ""] : ["▲ new", "none an hour ago"];
  }
  const factor = now / before;
  if (factor >= 0.9 && factor <= 1.1) {
    return ["= same", "within 10 %"];
  }
  const times = factor >= 10 ? Math.round(factor) : Math.round(factor * 10) / 10;
  return [`${factor > 1 ? "▲" : "▼"} ${times}×`, factor > 1 ? "more than an hour ago" : "less than an hour ago"];
}

function sparkline(values) {
  const max = Math.max(1, ...values);
  const x = (at) => ((WIDTH - 2) * at) / (values.length - 1) + 1;
  const y = (value) => HEIGHT - 1 - ((HEIGHT - 3) * value) / max;
  return values.map((value, at) => `${at === 0 ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}

export class DeniedPanel {
  /** The listener gets onAct(target) for {rule}. */
  constructor(host, onAct) {
    // On a narrow screen its rows are laid out as grids, which would take their roles away.
    this.body = el("tbody", { role: "rowgroup" });
    this.table = el(
      "table",
      { class: "denied-table", role: "table" },
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, COLUMNS.map((name, at) => el("th", { scope: "col", role: "columnheader", class: at > 1 ? "num" : null }, name)), el("th", { scope: "col", role: "columnheader", class: "act" }, el("span", { class: "unseen" }, "Actions")))),
      this.body,
    );
    this.none = empty("No rule denies anybody.", "Rules that denied within the last minute, or in the same minute an hour ago, appear here with their rate per second.");
    this.fold = new Fold(this.body);
    host.append(this.table, this.fold.button, this.none);
    this.rows = new Rows(this.body, (one) => deniedRow(one, onAct));
  }

  show(denials, age) {
    const known = age >= HOUR_SECONDS;
    this.rows.show(
      denials.map((one) => ({ ...one, known })),
      (one) => one.rule,
    );
    this.fold.update();
    if (this.body.children.length > 0) {
      showOne(this.table, this.none);
    } else {
      showOne(this.none, this.table);
    }
  }
}

function deniedRow(one, onAct) {
  const path = svg("path");
  const act = el("button", { type: "button", class: "small acts act", "aria-label": `Act on rule ${one.rule}`, onclick: () => onAct({ rule: one.rule }) }, "Act…");
  const cell = (name, kind) => el("td", { class: `num ${kind}`, role: "cell", "data-label": name });
  const now = cell("Per second", "strong");
  const before = cell("An hour ago", "");
  const compared = cell("Change", "");
  const node = el(
    "tr",
    { role: "row" },
    el("th", { scope: "row", role: "rowheader", class: "name" }, one.rule),
    el("td", { class: "spark", role: "cell" }, svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, path)),
    now,
    before,
    compared,
    el("td", { class: "buttons act", role: "cell" }, act),
  );
  return {
    node,
    update(next) {
      setAttribute(path, "d", sparkline(next.seconds));
      setText(now, rate(next.perSecond));
      setText(before, next.known ? rate(next.hourAgo) : "–");
      const [text, title] = change(next.perSecond, next.hourAgo, next.known);
      setText(compared, text);
      setAttribute(compared, "title", title === "" ? null : title);
    },
  };
}

export class UsePanel {
  constructor(host) {
    this.list = el("ul", { class: "use" });
    this.none = empty("No rule has decided in the last hour.", "Each rule appears here with the share of its limit that its busiest caller used in the last minute.");
    this.note = el("p", { class: "note" }, "How much of its limit the busiest caller of each rule used in the last minute; the 20 highest.");
    this.fold = new Fold(this.list);
    host.append(this.list, this.fold.button, this.note, this.none);
    this.rows = new Rows(this.list, (one) => useRow(one));
  }

  show(utilisation) {
    this.rows.show(utilisation, (one) => one.rule);
    this.fold.update();
    const any = this.list.children.length > 0;
    this.list.hidden = !any;
    this.note.hidden = !any;
    this.none.hidden = any;
  }
}

function useRow(one) {
  const bar = svg("rect", { y: 0, height: 10 });
  const number = el("span", { class: "use-number" });
  const node = el(
    "li",
    null,
    el("span", { class: "name" }, one.rule),
    svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "track", width: 100, height: 10 }), bar),
    number,
  );
  return {
    node,
    update({ percent }) {
      setAttribute(bar, "width", Math.max(0, Math.min(100, percent)));
      setAttribute(node, "class", percent >= 100 ? "full" : percent >= NEAR ? "near" : "");
      setText(number, `${percent} %${percent >= 100 ? " full" : percent >= NEAR ? " near" : ""}`);
    },
  };
}
