// Draws stacked areas over time in two panels, with markers of events and a cursor.

import { svg, setAttribute } from "./dom.js";
import { count, minute } from "./format.js";

const LEFT = 46;
const RIGHT = 8;
const TOP = 16;
const AXIS = 20;
const GAP = 24;
const MIN_TICK_PIXELS = 78;
const TICK_SECONDS = [60, 120, 180, 300, 600, 3_600, 7_200, 10_800, 21_600];

/** The smallest of 1, 2, 5, 10, 20… that is at least so large. */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= value * 0.999_999);
  return Math.max(1, step * power);
}

function short(number) {
  if (number >= 1e6) {
    return `${+(number / 1e6).toFixed(1)}M`;
  }
  if (number >= 1e4) {
    return `${+(number / 1e3).toFixed(1)}k`;
  }
  return number >= 100 ? count(number) : String(+number.toFixed(1));
}

export class Chart {
  /** Panels are [{label, share, outcomes}]; the shares of the height add up to 1. */
  constructor(host, panels) {
    this.host = host;
    this.panels = panels;
    this.root = svg("svg", { "aria-hidden": "true", focusable: "false" }, patterns());
    this.back = svg("g");
    this.areas = svg("g");
    this.front = svg("g");
    this.cursor = svg("line", { class: "cursor", visibility: "hidden" });
    this.root.append(this.back, this.areas, this.front, this.cursor);
    host.append(this.root);
    this.view = null;
    this.markers = [];
    new ResizeObserver(() => this.redraw()).observe(host);
  }

  show(view, markers) {
    this.view = view;
    this.markers = markers;
    this.redraw();
  }

  redraw() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (this.view === null || width === 0) {
      return;
    }
    this.width = width;
    this.height = height;
    setAttribute(this.root, "viewBox", `0 0 ${width} ${height}`);
    setAttribute(this.root, "width", width);
    setAttribute(this.root, "height", height);
    this.plot = width - LEFT - RIGHT;
    const back = [];
    const areas = [];
    const inner = height - TOP - AXIS - GAP * (this.panels.length - 1);
    let top = TOP;
    for (const panel of this.panels) {
      const size = Math.round(inner * panel.share);
      this.drawPanel(panel, top, size, back, areas);
      top += size + GAP;
    }
    back.push(...this.ticks());
    this.back.replaceChildren(...back);
    this.areas.replaceChildren(...areas);
    this.front.replaceChildren(...this.drawMarkers());
    this.moveCursor(this.at);
  }

  x(at) {
    return LEFT + (this.plot * at) / this.view.length;
  }

  drawPanel(panel, top, size, back, areas) {
    const { series, length, known } = this.view;
    const first = length - known;
    const sums = new Array(length).fill(0);
    for (const outcome of panel.outcomes) {
      for (let i = first; i < length; i++) {
        sums[i] += series[outcome][i];
      }
    }
    const max = roundUp(Math.max(0, ...sums));
    const y = (value) => top + size - (size * value) / max;
    back.push(svg("text", { x: LEFT, y: top - 5, class: "panel-title" }, panel.label));
    for (const value of [0, max / 2, max]) {
      back.push(
        svg("line", { class: "grid", x1: LEFT, x2: this.width - RIGHT, y1: y(value), y2: y(value) }),
        svg("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, short(value)),
      );
    }
    if (first > 0) {
      back.push(
        svg("rect", { class: "unknown", x: LEFT, y: top, width: this.x(first) - LEFT, height: size }),
      );
    }
    const below = new Array(length).fill(0);
    for (const outcome of panel.outcomes) {
      const path = this.area(series[outcome], below, first, y);
      if (path !== "") {
        areas.push(svg("path", { class: `area ${outcome}`, d: path }));
      }
    }
  }

  /** The area of one outcome on top of others, which it is then added to. */
  area(values, below, first, y) {
    const there = [];
    const back = [];
    let any = false;
    for (let i = first; i < values.length; i++) {
      const x = this.x(i + 0.5).toFixed(1);
      back.push(`${x} ${y(below[i]).toFixed(1)}`);
      below[i] += values[i];
      there.push(`${x} ${y(below[i]).toFixed(1)}`);
      any ||= values[i] > 0;
    }
    return any ? `M${there.join("L")}L${back.reverse().join("L")}Z` : "";
  }

  ticks() {
    const seconds = (this.view.length * this.view.stepMillis) / 1_000;
    const fits = (step) => (this.plot * step) / seconds >= MIN_TICK_PIXELS;
    const step = (TICK_SECONDS.find(fits) ?? TICK_SECONDS.at(-1)) * 1_000;
    const shift = new Date(this.view.end).getTimezoneOffset() * 60_000;
    const begin = this.view.end - seconds * 1_000;
    const ticks = [];
    for (let t = Math.ceil((begin - shift) / step) * step + shift; t <= this.view.end; t += step) {
      const x = this.x((t - begin) / this.view.stepMillis);
      if (x > LEFT + 14 && x < this.width - RIGHT - 14) {
        ticks.push(
          svg("line", { class: "grid", x1: x, x2: x, y1: TOP, y2: this.height - AXIS }),
          svg("text", { class: "tick", x, y: this.height - 5, "text-anchor": "middle" }, minute(t)),
        );
      }
    }
    return ticks;
  }

  /** The markers within a step of a position, by the time they have. */
  markersAt(at) {
    const reach = Math.max(1, Math.ceil((6 * this.view.length) / Math.max(1, this.plot)));
    return this.markers.filter((marker) => Math.abs(this.indexOf(marker.time) - at) <= reach);
  }

  indexOf(time) {
    return Math.floor(this.view.length - (this.view.end - time) / this.view.stepMillis);
  }

  drawMarkers() {
    const shapes = [];
    for (const marker of this.markers) {
      const at = this.indexOf(marker.time);
      if (at < 0 || at > this.view.length) {
        continue;
      }
      const x = this.x(Math.min(at, this.view.length - 1) + 0.5).toFixed(1);
      const shape = { info: "M-4 0h8l-4 6z", warning: "M-5 6h10l-5 -9z", error: "M-4 -3h8v8h-8z" };
      shapes.push(
        svg("line", { class: `marker ${marker.level}`, x1: x, x2: x, y1: 6, y2: this.height - AXIS }),
        svg(
          "path",
          { class: `flag ${marker.level}`, d: shape[marker.level] ?? shape.info, transform: `translate(${x} 4)` },
          svg("title", null, marker.text),
        ),
      );
    }
    return shapes;
  }

  /** Puts the cursor on a position, or away. */
  moveCursor(at) {
    this.at = at;
    const there = at !== null && at !== undefined && this.view !== null;
    setAttribute(this.cursor, "visibility", there ? "visible" : "hidden");
    if (there) {
      const x = this.x(at + 0.5).toFixed(1);
      for (const [name, value] of Object.entries({ x1: x, x2: x, y1: TOP - 8, y2: this.height - AXIS })) {
        setAttribute(this.cursor, name, value);
      }
    }
  }

  /** The position at a distance from the left edge of the host. */
  positionOf(pixels) {
    const at = Math.floor(((pixels - LEFT) / this.plot) * this.view.length);
    return Math.max(this.view.length - this.view.known, Math.min(this.view.length - 1, at));
  }
}

/** Stripes, so that areas differ by more than their colour. */
function patterns() {
  const stripes = (name, turn) =>
    svg(
      "pattern",
      { id: `stripes-${name}`, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${turn})` },
      svg("rect", { class: `area ${name} plain`, width: 5, height: 5 }),
      svg("rect", { class: "stripe", width: 1.5, height: 5 }),
    );
  return svg("defs", null, stripes("shadow-denied", 45), stripes("unanswered", -45));
}
