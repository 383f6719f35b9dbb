// The actions in force: what they do, who took them and why, and how long they last.

import { call, callIfThere } from "./api.js";
import { announce, byId, el, Rows, setText } from "./dom.js";
import { clock, duration, plural, serverNow } from "./format.js";
import { empty } from "./rules.js";

const POLL_MILLIS = 2_000;
const SURE_MILLIS = 5_000;

/** What an action does, in words. */
export function words({ action, rule, caller, factor }) {
  const where = rule === undefined || rule === null ? "in all rules" : `in ${rule}`;
  switch (action) {
    case "multiply":
      return `Limits of ${rule} × ${factor}`;
    case "shadow":
      return `${rule} in shadow: it counts and denies nobody`;
    case "block":
      return `Caller ${caller} blocked ${where}`;
    case "exempt":
      return `Caller ${caller} exempt ${where}`;
    default:
      return [action, rule, caller].filter(Boolean).join(" ");
  }
}

export class ActionsPanel {
  constructor() {
    this.there = null;
    this.list = el("ul", { class: "actions" });
    this.problem = el("p", { class: "error", role: "alert" });
    this.none = empty("No action is in force.", "What operators do for a while appears here, with who, why and the time left: more or less of a limit, a rule in shadow, a caller blocked or exempt.");
    byId("action-list").append(this.problem, this.list, this.none);
    this.rows = new Rows(this.list, (action) => this.row(action));
    setInterval(() => this.poll(), POLL_MILLIS);
    setInterval(() => this.tick(), 1_000);
  }

  /** Asks the server which actions are in force; a server without them is not asked again. */
  async poll() {
    const { link, role } = document.documentElement.dataset;
    if (this.there === false || document.hidden || link !== "live" || role === "none") {
      return;
    }
    try {
      const answer = await callIfThere("GET", "actions");
      this.there = answer !== null;
      document.documentElement.dataset.actions = this.there ? "yes" : "no";
      byId("actions").hidden = !this.there;
      setText(this.problem, "");
      if (this.there) {
        this.show(answer.actions);
      }
    } catch (failure) {
      setText(this.problem, `Not up to date: ${failure.message}`);
    }
  }

  show(actions) {
    const read = serverNow();
    this.rows.show(
      actions.map((action) => ({ ...action, endsAt: read + left(action) })),
      (action) => action.id,
    );
    this.none.hidden = this.list.children.length > 0;
    const chip = byId("actions-link");
    chip.hidden = actions.length === 0;
    setText(chip, `${plural(actions.length, "action", "actions")} in force`);
  }

  row(action) {
    const time = el("p", { class: "left" });
    const idle = el("p", { class: "idle" });
    const undo = el("button", { type: "button", class: "small acts" }, "Undo");
    undo.addEventListener("click", () => this.undo(action, undo));
    const who = action.who ?? action.taken?.by ?? "unnamed";
    const node = el(
      "li",
      null,
      el("div", null, el("p", { class: "name strong" }, words(action)), el("p", { class: "under" }, `${who}: ${action.why}`), idle),
      time,
      undo,
    );
    const row = {
      node,
      update(next) {
        row.endsAt = next.endsAt;
        setText(idle, next.noEffectBecause === undefined ? "" : `No effect: ${next.noEffectBecause}`);
        row.tick();
      },
      tick() {
        const millis = row.endsAt - serverNow();
        setText(time, millis <= 0 ? "ending…" : `${duration(Math.ceil(millis / 1_000) * 1_000)} left, until ${clock(row.endsAt)}`);
      },
    };
    return row;
  }

  tick() {
    this.rows.rows.forEach((row) => row.tick());
  }

  /** The first click asks, the second one does it. */
  async undo(action, button) {
    if (button.dataset.sure !== "yes") {
      button.dataset.sure = "yes";
      setText(button, "Undo now?");
      setTimeout(() => {
        delete button.dataset.sure;
        setText(button, "Undo");
      }, SURE_MILLIS);
      return;
    }
    button.disabled = true;
    try {
      await call("DELETE", `actions/${encodeURIComponent(action.id)}`);
      announce(`Undone: ${words(action)}`);
    } catch (failure) {
      setText(this.problem, `Not undone: ${failure.message}`);
    }
    button.disabled = false;
    button.blur();
    await this.poll();
  }
}

function left(action) {
  return action.remainingMillis ?? Math.max(0, Date.parse(action.until) - serverNow());
}
