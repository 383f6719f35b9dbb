// The decisions of the last 15 minutes and 24 hours, kept up to date by the events of the server.

export const OUTCOMES = ["allowed", "shadow-denied", "uncounted", "denied", "blocked", "unanswered"];
export const REFUSED = new Set(["denied", "blocked", "unanswered"]);

const SECONDS_PER_MINUTE = 60;

/**
 * A number for each second and for each minute, by outcome.
 *
 * Seconds have numbers, counted from the start of the server. So a page sees whether it has missed
 * any, and tells "none" from "before the start".
 */
export class Timelines {
  constructor() {
    this.seconds = {};
    this.minutes = {};
    this.second = 0;
    this.time = 0;
  }

  /** How many seconds the server has counted. */
  get age() {
    return this.second;
  }

  load(snapshot) {
    this.second = snapshot.second;
    this.time = snapshot.time;
    for (const outcome of OUTCOMES) {
      this.seconds[outcome] = [...(snapshot.history.seconds[outcome] ?? [])];
      this.minutes[outcome] = [...(snapshot.history.minutes[outcome] ?? [])];
    }
  }

  /** Adds what an event brings; returns false if something between was missed. */
  add(event) {
    const passed = event.second - this.second;
    const recent = event.recent.allowed.length;
    if (passed < 0 || passed > recent) {
      return false;
    }
    const before = Math.floor((this.second - 1) / SECONDS_PER_MINUTE);
    this.second = event.second;
    this.time = event.time;
    const now = Math.floor((this.second - 1) / SECONDS_PER_MINUTE);
    for (const outcome of OUTCOMES) {
      const all = this.seconds[outcome];
      all.push(...event.recent[outcome].slice(recent - passed));
      all.splice(0, passed);
      for (let minute = before; minute < now; minute++) {
        this.minutes[outcome].push(this.sumOf(all, minute));
        this.minutes[outcome].shift();
      }
    }
    return true;
  }

  sumOf(all, minute) {
    const end = all.length - (this.second - (minute + 1) * SECONDS_PER_MINUTE);
    return sum(all.slice(Math.max(0, end - SECONDS_PER_MINUTE), end));
  }

  /** The rate of an outcome in the last seconds. */
  recent(outcome, seconds) {
    const all = this.seconds[outcome] ?? [];
    const known = Math.min(seconds, this.second, all.length);
    return known === 0 ? 0 : sum(all.slice(all.length - known)) / known;
  }

  /**
   * What a chart shows: values per second by outcome, null before the server was there; the time
   * at which the newest one ended, and how long each is.
   */
  view(span) {
    const ofMinutes = span === "minutes";
    const source = ofMinutes ? this.minutes : this.seconds;
    const length = source.allowed?.length ?? 0;
    const wholeMinutes = Math.floor((this.second - 1) / SECONDS_PER_MINUTE);
    const known = Math.max(0, Math.min(length, ofMinutes ? wholeMinutes : this.second));
    const scale = ofMinutes ? SECONDS_PER_MINUTE : 1;
    const series = {};
    for (const outcome of OUTCOMES) {
      series[outcome] = (source[outcome] ?? []).map((value, at) =>
        at < length - known ? null : value / scale,
      );
    }
    const partial = ofMinutes ? this.second - wholeMinutes * SECONDS_PER_MINUTE : 0;
    return {
      span,
      series,
      length,
      known,
      stepMillis: scale * 1_000,
      end: this.time - partial * 1_000,
    };
  }
}

/** The same values in fewer and longer steps, for a table: the mean of each, the newest first. */
export function steps(view, perStep) {
  const rows = [];
  for (let end = view.length; end > view.length - view.known; end -= perStep) {
    const begin = Math.max(view.length - view.known, end - perStep);
    const row = {
      from: view.end - (view.length - begin) * view.stepMillis,
      to: view.end - (view.length - end) * view.stepMillis,
      values: {},
    };
    for (const outcome of OUTCOMES) {
      row.values[outcome] = sum(view.series[outcome].slice(begin, end)) / (end - begin);
    }
    rows.push(row);
  }
  return rows;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
