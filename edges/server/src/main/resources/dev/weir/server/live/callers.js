// The heaviest callers: who they are is a hash, until somebody reveals it.

import { ApiError, call } from "./api.js";
import { announce, byId, el, Fold, Rows, setAttribute, setText } from "./dom.js";
import { count } from "./format.js";
import { empty, showOne } from "./rules.js";

const POLL_MILLIS = 2_000;
const TITLES = {
  denied: "Top denied callers",
  "near-limit": "Top callers near their limit",
  allowed: "Top allowed callers",
  "shadow-denied": "Top shadow-denied callers",
};
const NOBODY = {
  denied: ["Nobody was denied.", "Callers that a rule denies appear here, by a hash of what identifies them."],
  "near-limit": ["Nobody was near a limit.", "Callers that passed and left less than a fifth of a limit appear here."],
  allowed: ["Nobody has passed.", "Callers whose requests pass appear here, those that send most first."],
  "shadow-denied": ["Nobody would have been denied.", "Callers that a rule in shadow mode would deny appear here: see them before you enforce it."],
};
const WINDOW = { minute: "30 to 60 seconds", hour: "30 to 60 minutes" };

export class CallersPanel {
  /** The listener gets onAct(target) for {rule, caller, resettable}. */
  constructor(onAct) {
    this.onAct = onAct;
    this.filter = { kind: "denied", window: "minute", rule: "" };
    this.rules = new Set();
    this.revealed = new Map();
    this.body = el("tbody", { role: "rowgroup" });
    this.table = el(
      "table",
      { class: "callers-table", role: "table" },
      el(
        "thead",
        { role: "rowgroup" },
        el(
          "tr",
          { role: "row" },
          el("th", { scope: "col", role: "columnheader" }, "Caller and rule"),
          el("th", { scope: "col", role: "columnheader", class: "num", title: "At most so many requests; the error is by how many there may have been fewer" }, "Requests ± error"),
          el("th", { scope: "col", role: "columnheader" }, el("span", { class: "unseen" }, "Actions")),
        ),
      ),
      this.body,
    );
    this.none = empty("", "");
    this.problem = el("p", { class: "error", role: "alert" });
    this.refusal = el("p", { class: "error", role: "alert" });
    this.note = el("p", { class: "note" });
    this.fold = new Fold(this.body);
    byId("callers").append(this.problem, this.refusal, this.table, this.fold.button, this.none, this.note);
    this.rows = new Rows(this.body, (one) => this.row(one));
    byId("callers-filters").addEventListener("change", () => this.refilter());
    this.refilter();
    setInterval(() => this.poll(), POLL_MILLIS);
  }

  get isDefault() {
    const { kind, window, rule } = this.filter;
    return kind === "denied" && window === "minute" && rule === "";
  }

  refilter() {
    const chosen = (name) => byId("callers-filters").querySelector(`[name=${name}]:checked`).value;
    this.filter = { kind: chosen("kind"), window: chosen("window"), rule: byId("callers-rule").value };
    setText(byId("callers-title"), TITLES[this.filter.kind]);
    setText(this.none.children[0], NOBODY[this.filter.kind][0]);
    setText(this.none.children[1], NOBODY[this.filter.kind][1]);
    setText(this.note, `Counted over the last ${WINDOW[this.filter.window]}.`);
    this.show(this.isDefault ? (this.live ?? []) : []);
    this.poll();
  }

  /** Takes the callers that come with the stream, and the names of the rules there are. */
  onSecond(callers, rules) {
    this.live = callers;
    if (this.isDefault) {
      this.fail("");
      this.show(callers);
    }
    for (const rule of rules) {
      if (!this.rules.has(rule)) {
        this.rules.add(rule);
        this.addRule(rule);
      }
    }
  }

  addRule(rule) {
    const select = byId("callers-rule");
    const after = [...select.options].slice(1).find((option) => option.value > rule);
    select.add(el("option", { value: rule }, rule), after ?? null);
  }

  async poll() {
    if (this.isDefault || document.hidden || document.documentElement.dataset.link !== "live") {
      return;
    }
    const filter = this.filter;
    const query = new URLSearchParams({ kind: filter.kind, window: filter.window });
    if (filter.rule !== "") {
      query.set("rule", filter.rule);
    }
    try {
      const { callers } = await call("GET", `callers?${query}`);
      if (filter === this.filter) {
        this.fail("");
        this.show(callers);
      }
    } catch (failure) {
      if (filter === this.filter && failure instanceof ApiError) {
        this.fail(`Not up to date: ${failure.message}`);
      }
    }
  }

  fail(text) {
    setText(this.problem, text);
  }

  show(callers) {
    this.rows.show(callers, (one) => `${one.caller} ${one.rule}`);
    this.fold.update();
    if (this.body.children.length > 0) {
      showOne(this.table, this.none);
    } else {
      showOne(this.none, this.table);
    }
  }

  row(one) {
    const key = `${one.caller} ${one.rule}`;
    const number = el("td", { class: "num", role: "cell" });
    const identity = el("span", { class: "identity" });
    const reveal = el(
      "button",
      { type: "button", class: "small acts reveal", title: "Shows what identifies the caller; the audit log says who looked", onclick: () => this.reveal(one, identity, reveal) },
      "Reveal",
    );
    const act = el(
      "button",
      { type: "button", class: "small acts act", "aria-label": `Act on caller ${one.caller} of rule ${one.rule}`, onclick: () => this.onAct({ rule: one.rule, caller: one.caller, resettable: row.resettable }) },
      "Act…",
    );
    const node = el(
      "tr",
      { role: "row" },
      el("th", { scope: "row", role: "rowheader" }, el("div", { class: "who" }, el("code", null, one.caller), identity, el("span", { class: "name under" }, one.rule))),
      number,
      el("td", { class: "buttons", role: "cell" }, reveal, act),
    );
    setText(identity, this.revealed.get(key) ?? "");
    const row = {
      node,
      resettable: false,
      update: (next) => {
        row.resettable = next.resettable === true;
        setAttribute(act, "hidden", next.blockable === false ? "" : null);
        setText(number, next.error === 0 ? count(next.count) : `${count(next.count)} ± ${count(next.error)}`);
        setAttribute(reveal, "hidden", next.revealable === true && !this.revealed.has(key) ? null : "");
      },
    };
    return row;
  }

  async reveal(one, identity, button) {
    setText(this.refusal, "");
    try {
      const answer = await call("POST", "callers/reveal", { rule: one.rule, caller: one.caller });
      const text = answer.identity.map(({ name, value }) => `${name}: ${value}`).join(", ");
      this.revealed.set(`${one.caller} ${one.rule}`, text);
      setText(identity, text);
      button.hidden = true;
      announce(`Caller ${one.caller} is ${text}`);
    } catch (failure) {
      setText(this.refusal, `Caller ${one.caller} is not revealed: ${failure.message}`);
    }
  }

  /** Forgets who callers are: somebody else may look at the page next. */
  forget() {
    if (this.revealed.size > 0) {
      announce("Callers are hashes again"); // in the place of who the last one was
    }
    this.revealed.clear();
    this.live = [];
    this.rows.clear();
  }
}
