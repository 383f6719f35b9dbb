// What happened: the newest first.

import { byId, el, Fold, svg } from "./dom.js";
import { moment } from "./format.js";
import { empty } from "./rules.js";

const MAX = 200;
const SHAPES = { info: "M4 4l8 0 -4 7z", warning: "M8 3l6 10h-12z", error: "M3 3h10v10h-10z" };

export class EventsPanel {
  constructor() {
    this.events = [];
    this.known = 0;
    this.list = el("ol", { class: "events" });
    this.fold = new Fold(this.list);
    this.none = empty("Nothing has happened.", "Outages of the store, the circuit breaker, reloads and refused versions of the rules, and actions appear here and on the chart.");
    byId("events").append(this.list, this.fold.button, this.none);
  }

  /** Takes the events of a snapshot, which are all that the server remembers. */
  load(events, count) {
    this.events = events;
    this.known = count;
    this.show();
  }

  /** Adds what an event of the stream brings; returns false if something between was missed. */
  add(events, count) {
    const fresh = count - this.known;
    if (fresh < 0 || fresh > events.length) {
      return false;
    }
    if (fresh > 0) {
      this.events = [...this.events, ...events.slice(events.length - fresh)].slice(-MAX);
      this.known = count;
      this.show();
    }
    return true;
  }

  show() {
    const newest = [...this.events].reverse();
    this.list.replaceChildren(...newest.map(eventRow));
    this.fold.update();
    this.none.hidden = newest.length > 0;
  }
}

function eventRow(event) {
  const level = event.level in SHAPES ? event.level : "info";
  return el(
    "li",
    { class: level },
    el("time", { datetime: new Date(event.time).toISOString(), title: new Date(event.time).toISOString() }, moment(event.time)),
    svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: SHAPES[level] })),
    el("span", { class: "kind" }, level === "info" ? event.kind : `${event.kind}, ${level}`),
    el("span", { class: "what" }, event.text),
  );
}
