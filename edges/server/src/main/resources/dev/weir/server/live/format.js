// Numbers, times and durations as people read them.

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const TENTH = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const SHORT = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
let offset = 0;

/** Learns the clock of the server, by which all times on the page are. */
export function setServerTime(millis) {
  offset = millis - Date.now();
}

export const serverNow = () => Date.now() + offset;

const DAY_MILLIS = 86_400_000;

export const count = (number) => WHOLE.format(number);

/** A number per second: one digit after the point where that says something. */
export function rate(number) {
  if (number > 0 && number < 0.05) {
    return "<0.1";
  }
  return number < 10 ? TENTH.format(number) : WHOLE.format(number);
}

/** A share of one. */
export function percent(share) {
  const number = 100 * share;
  if (number > 0 && number < 0.1) {
    return "<0.1 %";
  }
  return (number < 10 ? TENTH : WHOLE).format(number) + " %";
}

export const plural = (number, one, many) => `${count(number)} ${number === 1 ? one : many}`;

export const clock = (millis) => CLOCK.format(millis);

export const minute = (millis) => SHORT.format(millis);

/** A time of day, with the date if it is not of the last hours. */
export function moment(millis) {
  const near = Math.abs(serverNow() - millis) < DAY_MILLIS / 2;
  return near ? clock(millis) : `${DAY.format(millis)}, ${minute(millis)}`;
}

/** A duration with its two largest units. */
export function duration(millis) {
  if (millis < 1_000) {
    return `${Math.max(0, Math.ceil(millis))} ms`;
  }
  const seconds = Math.round(millis / 1_000);
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  const first = parts.findIndex(([number]) => number > 0);
  return parts
    .slice(first, first + 2)
    .filter(([number]) => number > 0)
    .map(([number, unit]) => `${number} ${unit}`)
    .join(" ");
}

/** A duration with its largest unit, for an age. */
export const age = (millis) => duration(millis).split(" ").slice(0, 2).join(" ");

/** A latency in microseconds. */
export function latency(micros) {
  if (micros < 1_000) {
    return `${count(micros)} µs`;
  }
  return micros < 1_000_000 ? `${rate(micros / 1_000)} ms` : `${rate(micros / 1_000_000)} s`;
}

/** The offset of the times on this page. */
export function zone(date) {
  const offset = -date.getTimezoneOffset();
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (offset === 0) {
    return "UTC";
  }
  const hours = Math.floor(Math.abs(offset) / 60);
  const minutes = String(Math.abs(offset) % 60).padStart(2, "0");
  return `${name}, UTC${offset > 0 ? "+" : "−"}${hours}:${minutes}`;
}
