// The chart of decisions per second: its legend, its cursor and its table.

import { Chart } from "./chart.js";
import { OUTCOMES, steps } from "./chart-data.js";
import { byId, el, setAttribute, setText } from "./dom.js";
import { clock, duration, minute, moment, rate } from "./format.js";

const PANELS = [
  { label: "Passed", share: 0.58, outcomes: ["allowed", "shadow-denied", "uncounted"] },
  { label: "Turned away", share: 0.42, outcomes: ["denied", "blocked", "unanswered"] },
];
const MEANING = {
  allowed: "Passed, and was counted",
  "shadow-denied": "Passed, and would be denied if the rule were enforced",
  uncounted: "Passed without being counted, because the store did not answer",
  denied: "A limit had no room",
  blocked: "A rule never lets this caller pass",
  unanswered: "Denied because the store did not answer",
};
const STEP = { seconds: 60, minutes: 60 };
const NOW_SECONDS = 5;

export class Decisions {
  constructor(timelines) {
    this.timelines = timelines;
    this.host = byId("chart");
    this.chart = new Chart(this.host, PANELS);
    this.span = "seconds";
    this.at = null;
    this.events = [];
    this.values = {};
    byId("legend").append(...PANELS.map((panel) => this.legend(panel)));
    byId("span").addEventListener("change", (event) => this.setSpan(event.target.value));
    this.host.addEventListener("pointermove", (event) => this.point(event));
    this.host.addEventListener("pointerdown", (event) => this.point(event));
    this.host.addEventListener("pointerleave", () => this.moveTo(null));
    this.host.addEventListener("keydown", (event) => this.onKey(event));
    this.host.addEventListener("blur", () => this.moveTo(null));
    byId("chart-table").addEventListener("toggle", () => this.fillTable());
    document.addEventListener("visibilitychange", () => this.show(this.events));
  }

  legend(panel) {
    return el(
      "dl",
      null,
      panel.outcomes.map((outcome) => {
        this.values[outcome] = el("dd");
        return el(
          "div",
          { title: MEANING[outcome] },
          el("dt", null, el("span", { class: `swatch ${outcome}`, "aria-hidden": "true" }), outcome),
          this.values[outcome],
        );
      }),
    );
  }

  setSpan(span) {
    this.span = span;
    this.at = null;
    this.show(this.events);
  }

  /** Shows the timelines as they are now, with these events as markers. */
  show(events) {
    this.events = events;
    if (document.hidden || this.timelines.time === 0) {
      return;
    }
    this.view = this.timelines.view(this.span);
    const begin = this.view.end - this.view.length * this.view.stepMillis;
    const markers = events.filter((event) => event.time >= begin && event.time <= this.view.end + 1_000);
    this.chart.show(this.view, markers);
    if (this.at !== null && !this.host.matches(":hover")) {
      this.at = Math.max(this.view.length - this.view.known, this.at - this.passed());
    }
    this.lastEnd = this.view.end;
    this.read();
    setText(byId("chart-note"), this.note());
    if (byId("chart-table").open && !byId("chart-table").contains(document.activeElement)) {
      this.fillTable();
    }
  }

  /** How far the chart has moved under a cursor that stays at its moment. */
  passed() {
    return Math.round((this.view.end - (this.lastEnd ?? this.view.end)) / this.view.stepMillis);
  }

  note() {
    const { known, length, stepMillis, end } = this.view;
    if (known === 0) {
      return "Nothing yet: the first whole minute is still running.";
    }
    if (known < length) {
      return `Grey: before ${clock(end - known * stepMillis)}, when this server started.`;
    }
    return "";
  }

  point(event) {
    if (this.view !== undefined) {
      this.moveTo(this.chart.positionOf(event.clientX - this.host.getBoundingClientRect().left));
    }
  }

  onKey(event) {
    if (this.view === undefined || this.view.known === 0) {
      return;
    }
    const first = this.view.length - this.view.known;
    const last = this.view.length - 1;
    const at = this.at ?? last;
    const targets = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - 60,
      PageUp: at + 60,
      Home: first,
      End: last,
      Escape: null,
    };
    if (event.key in targets) {
      event.preventDefault();
      const target = targets[event.key];
      this.moveTo(target === null ? null : Math.max(first, Math.min(last, target)));
    }
  }

  moveTo(at) {
    this.at = at;
    this.read();
  }

  /** Writes the values under the cursor, or those of now. */
  read() {
    if (this.view === undefined) {
      return;
    }
    this.chart.moveCursor(this.at);
    for (const outcome of OUTCOMES) {
      const value =
        this.at === null
          ? this.timelines.recent(outcome, NOW_SECONDS)
          : (this.view.series[outcome][this.at] ?? 0);
      setText(this.values[outcome], rate(value));
      this.values[outcome].parentNode.classList.toggle("zero", value === 0);
    }
    setText(byId("cursor-time"), this.at === null ? `now, mean of ${NOW_SECONDS} s` : this.timeAt());
    setAttribute(this.host, "aria-valuemin", this.view.length - this.view.known);
    setAttribute(this.host, "aria-valuemax", Math.max(0, this.view.length - 1));
    setAttribute(this.host, "aria-valuenow", this.at ?? Math.max(0, this.view.length - 1));
    // It would be read aloud each second if it followed the newest value.
    setAttribute(this.host, "aria-valuetext", this.at === null ? "now" : this.spoken());
  }

  timeAt() {
    const end = this.view.end - (this.view.length - 1 - this.at) * this.view.stepMillis;
    const time = this.span === "minutes" ? moment(end - this.view.stepMillis) : clock(end);
    const near = this.chart.markersAt(this.at).map((marker) => marker.text);
    return [time, ...near].join(" · ");
  }

  spoken() {
    const values = OUTCOMES.filter((outcome) => this.view.series[outcome][this.at] > 0).map(
      (outcome) => `${rate(this.view.series[outcome][this.at])} ${outcome}`,
    );
    return `${this.timeAt()}: ${values.length === 0 ? "no requests" : values.join(", ")}`;
  }

  fillTable() {
    const host = byId("chart-table").querySelector("div");
    if (!byId("chart-table").open || this.view === undefined) {
      return;
    }
    const perStep = STEP[this.span];
    const rows = steps(this.view, perStep);
    const each = duration(perStep * this.view.stepMillis);
    host.replaceChildren(
      el(
        "table",
        { class: "plain" },
        el("caption", null, `Mean of each ${each}, the newest first`),
        el("thead", null, el("tr", null, el("th", { scope: "col" }, "From – to"), OUTCOMES.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", null, rows.map((row) => this.row(row))),
      ),
    );
  }

  row(row) {
    const label = this.span === "minutes" ? minute : clock;
    return el(
      "tr",
      null,
      el("th", { scope: "row" }, `${label(row.from)} – ${label(row.to)}`),
      OUTCOMES.map((name) => el("td", null, rate(row.values[name]))),
    );
  }
}
