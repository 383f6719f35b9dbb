// The form for a new action, in a dialog. It says in words what would happen before it happens.

import { call } from "./api.js";
import { announce, byId, el, setText } from "./dom.js";
import { clock, serverNow } from "./format.js";

const KINDS = [
  { value: "block", label: "Block a caller", needs: ["who", "where", "time"], verb: "Block" },
  { value: "exempt", label: "Exempt a caller", needs: ["who", "where", "time"], verb: "Exempt" },
  { value: "reset", label: "Reset a caller's counters", needs: ["who", "shared"], verb: "Reset" },
  { value: "multiply", label: "Multiply a rule's limit", needs: ["rule", "factor", "time"], verb: "Multiply" },
  { value: "shadow", label: "Put a rule in shadow", needs: ["rule", "time"], verb: "Put in shadow" },
];
const LASTING = [
  ["5m", "5 minutes", 5],
  ["15m", "15 minutes", 15],
  ["30m", "30 minutes", 30],
  ["1h", "1 hour", 60],
  ["2h", "2 hours", 120],
  ["4h", "4 hours", 240],
  ["12h", "12 hours", 720],
  ["24h", "24 hours", 1_440],
];
const MINUTE_MILLIS = 60_000;

export class ActionForm {
  /** The listener is called after an action was taken. */
  constructor(onDone) {
    this.onDone = onDone;
    this.dialog = byId("action-dialog");
    this.rules = new Set();
    this.target = {};
    this.build();
  }

  build() {
    const kinds = KINDS.map(({ value, label }) =>
      el("label", null, el("input", { type: "radio", name: "action", value, required: true }), el("span", null, label)),
    );
    this.suggestions = el("datalist", { id: "action-rules" });
    this.rule = el("input", { id: "action-rule", list: "action-rules", spellcheck: "false", autocapitalize: "off", autocomplete: "off", maxlength: "500" });
    this.where = el("select", { id: "action-where" });
    this.caller = el("input", { id: "action-caller", class: "mono", pattern: "[0-9a-fA-F]{16}", placeholder: "16 hexadecimal digits", spellcheck: "false", autocomplete: "off" });
    this.who = el("p", { class: "note" });
    this.factor = el("input", { id: "action-factor", value: "2", inputmode: "decimal", pattern: "[0-9]{1,7}([.][0-9]{1,6})?", "aria-describedby": "action-factor-help" });
    this.shared = el("input", { type: "checkbox", id: "action-shared" });
    this.lasting = el("select", { id: "action-for" }, LASTING.map(([value, label]) => el("option", { value, selected: value === "15m" }, label)));
    this.why = el("input", { id: "action-why", maxlength: "500", autocomplete: "off", placeholder: "What others should know, such as a ticket" });
    this.preview = el("p", { class: "preview", "aria-live": "polite" });
    this.problem = el("p", { class: "error", role: "alert" });
    this.submit = el("button", { class: "primary" }, "Do it");
    this.fields = {
      who: field("action-caller", "Hash of the caller", this.caller, this.who),
      where: field("action-where", "In", this.where),
      rule: field("action-rule", "Rule", this.rule, this.suggestions),
      factor: field("action-factor", "Times", this.factor, el("p", { class: "note", id: "action-factor-help" }, "2 doubles every limit of the rule, 0.5 halves it.")),
      shared: el("p", { class: "check" }, this.shared, el("label", { for: "action-shared" }, "Also counters that others share with this caller")),
      time: [field("action-for", "For", this.lasting), field("action-why", "Why", this.why)],
    };
    this.form = el(
      "form",
      { novalidate: true },
      el("h2", { id: "action-title" }, "New action"),
      el("fieldset", { class: "kinds" }, el("legend", { class: "unseen" }, "Action"), kinds),
      Object.values(this.fields),
      this.preview,
      this.problem,
      el("p", { class: "line end" }, el("button", { type: "button", onclick: () => this.dialog.close() }, "Cancel"), this.submit),
    );
    this.form.addEventListener("input", () => this.update());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.dialog.append(this.form);
  }

  /** Remembers names of rules, to suggest them. */
  suggest(rules) {
    for (const rule of rules) {
      if (!this.rules.has(rule)) {
        this.rules.add(rule);
        this.suggestions.append(el("option", { value: rule }));
      }
    }
  }

  /** Opens the form about {rule, caller, resettable}, or {query, label} of an explained request. */
  open(target) {
    this.target = target;
    this.form.reset();
    this.rule.value = target.rule ?? "";
    this.caller.value = target.caller ?? "";
    const rules = target.rule === undefined ? [] : [el("option", { value: target.rule }, target.rule)];
    this.where.replaceChildren(...rules, el("option", { value: "" }, "all rules that count by this identity"));
    const byQuery = target.query !== undefined;
    this.caller.hidden = byQuery;
    this.caller.readOnly = target.caller !== undefined;
    const resettable = target.caller === undefined || target.resettable === true;
    this.form.querySelector("[value=reset]").disabled = !resettable;
    const hint = resettable ? "" : "The server does not know its counters by the hash: to reset them, explain one of its requests, and act on that.";
    setText(this.who, byQuery ? `The caller of: ${target.label}` : hint);
    if (target.kind !== undefined) {
      this.form.querySelector(`[value=${target.kind}]`).checked = true;
    }
    setText(this.problem, "");
    this.update();
    this.dialog.showModal();
  }

  get kind() {
    const checked = this.form.querySelector("[name=action]:checked");
    return KINDS.find((kind) => kind.value === checked?.value);
  }

  update() {
    const { kind } = this;
    const needs = new Set(kind?.needs ?? []);
    for (const [name, nodes] of Object.entries(this.fields)) {
      for (const node of [nodes].flat()) {
        node.hidden = !needs.has(name);
      }
    }
    this.submit.disabled = kind === undefined;
    setText(this.submit, kind?.verb ?? "Choose an action");
    setText(this.preview, kind === undefined ? "" : this.sentence(kind.value));
  }

  sentence(kind) {
    const minutes = LASTING.find(([value]) => value === this.lasting.value)[2];
    const until = `until ${clock(serverNow() + minutes * MINUTE_MILLIS)}, on every server of the fleet`;
    const rule = this.rule.value.trim() || "the rule";
    const where = this.where.value === "" ? "In all rules that count it, this caller" : `In ${this.where.value}, this caller`;
    switch (kind) {
      case "block":
        return `${where} is denied, ${until}.`;
      case "exempt":
        return `${where} always passes, ${until}.`;
      case "multiply":
        return `Every limit of ${rule} is multiplied by ${this.factor.value}, for all its callers, ${until}.`;
      case "shadow":
        return `${rule} goes on counting and denies nobody, ${until}.`;
      default:
        return "The counters of this caller begin anew, at once. This cannot be undone.";
    }
  }

  /** What is wrong with the form, and where; null if nothing is. */
  objection(needs) {
    if (needs.includes("who") && this.target.query === undefined && !/^[0-9a-f]{16}$/i.test(this.caller.value.trim())) {
      return [this.caller, "Caller: its hash is needed, 16 hexadecimal digits"];
    }
    if (needs.includes("rule") && this.rule.value.trim() === "") {
      return [this.rule, "Rule: its name is needed"];
    }
    if (needs.includes("factor") && !(/^\d{1,7}(\.\d{1,6})?$/.test(this.factor.value.trim()) && Number(this.factor.value) > 0)) {
      return [this.factor, "Times: a number above 0 is needed, such as 2 or 0.5"];
    }
    if (needs.includes("time") && this.why.value.trim() === "") {
      return [this.why, "Why: a reason is needed, for others and for the audit log"];
    }
    return null;
  }

  body({ value, needs }) {
    const caller = this.target.query ?? { caller: this.caller.value.trim().toLowerCase() };
    if (value === "reset") {
      return this.shared.checked ? { ...caller, shared: true } : caller;
    }
    const body = { action: value, for: this.lasting.value, why: this.why.value.trim() };
    if (needs.includes("who")) {
      Object.assign(body, caller, this.where.value === "" ? {} : { rule: this.where.value });
    } else {
      body.rule = this.rule.value.trim();
    }
    return needs.includes("factor") ? { ...body, factor: this.factor.value.trim() } : body;
  }

  async send() {
    const { kind } = this;
    const objection = this.objection(kind.needs);
    if (objection !== null) {
      setText(this.problem, objection[1]);
      objection[0].focus();
      return;
    }
    setText(this.problem, "");
    this.submit.disabled = true;
    try {
      await call("POST", kind.value === "reset" ? "reset" : "actions", this.body(kind));
      this.dialog.close();
      announce(kind.value === "reset" ? "The counters begin anew" : "The action is in force");
      this.onDone();
    } catch (failure) {
      setText(this.problem, failure.message);
    }
    this.submit.disabled = false;
  }
}

function field(id, label, ...inputs) {
  return el("div", { class: "field" }, el("label", { for: id }, label), el("div", null, inputs));
}
