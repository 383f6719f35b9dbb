// An answer of /explain in words.

import { el, ICONS, setIcon, svg } from "./dom.js";
import { clock, count, duration, plural, serverNow } from "./format.js";

const UNITS = { 1_000: "second", 60_000: "minute", 3_600_000: "hour", 86_400_000: "day" };
const MAX_NOT_APPLYING = 200;

/** The elements that show an answer. */
export function explanation(answer, parsed, onAct) {
  const applying = answer.rules.filter((rule) => rule.applies);
  const others = answer.rules.filter((rule) => !rule.applies);
  return [
    headline(answer, applying),
    el(
      "ul",
      { class: "read" },
      readings(answer, parsed).map(([name, text]) => el("li", null, el("span", { class: "key" }, name), " ", text)),
    ),
    applying.length === 0 ? null : el("h3", null, applying.length === 1 ? "The rule that applies" : `The ${applying.length} rules that apply`),
    el("ul", { class: "applying" }, applying.map((rule) => applyingRule(rule, answer.decision))),
    applying.some((rule) => rule.counters.length > 0 || rule.blocked)
      ? el("p", null, el("button", { type: "button", class: "small acts", onclick: onAct }, "Act on this caller…"))
      : null,
    notApplying(others, answer.omitted ?? 0),
  ].filter((node) => node !== null);
}

function headline(answer, applying) {
  const { state, title, more } = summary(answer, applying);
  const icon = svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" });
  setIcon(icon, ...ICONS[state]);
  return el("div", { class: `headline ${state}` }, icon, el("div", null, el("p", { class: "strong" }, title), el("p", null, more)));
}

/** What would happen to the request now. */
function summary({ decision, error }, applying) {
  if (error !== undefined) {
    return { state: "bad", title: `Would be denied with ${error.status}`, more: "The store does not answer, and a rule denies in that case." };
  }
  const without = decision.degraded === undefined ? "" : ` Decided without the store, by failure mode: ${decision.degraded}.`;
  if (applying.length === 0) {
    return { state: "warn", title: "Would pass: no rule applies", more: "Nothing limits such a request." };
  }
  if (decision.allowed) {
    const delay = decision.delayMillis > 0 ? ` after a delay of ${duration(decision.delayMillis)}` : "";
    const tightest = decision.rule === null ? "" : `${decision.rule} is the tightest, with ${count(decision.remaining)} left.`;
    return { state: "ok", title: `Would pass${delay}`, more: tightest + without };
  }
  const blocking = applying.find((rule) => rule.blocked);
  const status = decision.status === undefined ? "" : ` with ${decision.status}`;
  if (blocking !== undefined) {
    return { state: "bad", title: `Would be denied${status}: blocked by ${blocking.rule}`, more: "No wait helps." + without };
  }
  const wait = decision.retryAfterMillis;
  const title = `Would be denied${status} by ${decision.rule}`;
  return wait === undefined
    ? { state: "bad", title, more: `It can never pass: its cost is above the limit.${without}` }
    : { state: "bad", title, more: `May pass in ${duration(wait)}, at ${clock(serverNow() + wait)}.${without}` };
}

/** How the request was understood, as pairs of a name and a text. */
function readings({ request, unread, version }, { label, notes }) {
  const lines = [["Read as", label]];
  if (request !== undefined) {
    lines.push(["Path", request.path]);
    for (const other of request.otherReadings ?? []) {
      lines.push(["or read as", other]);
    }
    const counted = request.countedAs === request.client ? "" : `, counted as ${request.countedAs}`;
    lines.push(["Client", `${request.client}${counted}`]);
  }
  if (unread !== undefined && unread.length > 0) {
    lines.push(["No rule reads", unread.join(", ")]);
  }
  lines.push(["Rules", version]);
  return [...lines, ...notes.map((note) => ["Note", note])];
}

function callerOf(rule) {
  const parts = rule.caller.map((part) =>
    part.absent === undefined ? `${part.name} ${part.value}` : `no ${part.absent}, shared by all callers without one`,
  );
  return parts.length === 0 ? "everybody together" : parts.join(" and ");
}

export function limitText(limit) {
  const burst = limit.capacity === limit.permits ? "" : `, burst ${count(limit.capacity)}`;
  const how = limit.algorithm.replaceAll("-", " ");
  if (limit.algorithm === "concurrency") {
    return `${count(limit.permits)} at a time`;
  }
  const window = limit.calendar ?? UNITS[limit.windowMillis] ?? duration(limit.windowMillis);
  return `${count(limit.permits)} per ${window}${burst} (${how})`;
}

function applyingRule(rule) {
  const shadow = rule.counters.length > 0 && rule.counters.every((one) => !one.enforced);
  const tags = [shadow ? "shadow" : null, rule.mode === "strict" ? null : rule.mode + (rule.share === undefined ? "" : ` ${rule.share}`)];
  return el(
    "li",
    null,
    el("p", { class: "name strong" }, rule.rule, tags.filter((tag) => tag !== null).map((tag) => el("span", { class: "tag" }, tag))),
    el("p", { class: "under" }, "counts ", callerOf(rule)),
    rule.blocked ? el("p", { class: "no" }, "blocked: never passes") : null,
    !rule.blocked && rule.counters.length === 0 ? el("p", null, "no limit for this caller") : null,
    rule.counters.map((counter) => counterLine(counter, rule)),
    candidateLines(rule.candidate),
  );
}

/** The limits that are judged, and not in force for this caller. */
function candidateLines(candidate) {
  if (candidate === undefined) {
    return [];
  }
  const { inForce, other } = candidate;
  const who = inForce ? "The candidate is in force for this caller. The rule's own limits" : "The candidate is not in force for this caller. It";
  const verdict = other.allowed === undefined ? "cannot be asked now" : other.allowed ? "would let it pass" : "would deny it";
  return [
    el("p", { class: "under" }, `${who} ${verdict}:`),
    other.counters.length === 0 ? el("p", null, "unlimited") : null,
    other.counters.map((counter) => counterLine(counter, {})),
  ];
}

function counterLine(counter, rule) {
  const { remaining, limit } = counter;
  const notes = [];
  let state = "unknown: the store does not answer";
  if (remaining !== undefined) {
    const of = counter.degraded === "local" ? "of this server's share" : `of ${count(limit.capacity)}`;
    state = counter.degraded === "allow" ? "not counted: the store does not answer" : `${count(remaining)} ${of} left`;
  }
  if (counter.allowed === false) {
    notes.push(counter.retryAfterMillis === undefined ? "never: the cost is above the limit" : `room in ${duration(counter.retryAfterMillis)}`);
  }
  if (counter.resetAfterMillis > 0) {
    notes.push(`full again in ${duration(counter.resetAfterMillis)}`);
  }
  if (counter.debt > 0) {
    notes.push(`${count(counter.debt)} charged beyond the limit`);
  }
  if (counter.cost !== 1) {
    notes.push(`costs ${count(counter.cost)}`);
  }
  if (counter.leased) {
    notes.push("leased by this server");
  }
  if (rule.whenStoreFails !== undefined) {
    notes.push(`when the store fails: ${rule.whenStoreFails}`);
  }
  const share = remaining === undefined ? 0 : Math.max(0, Math.min(1, remaining / limit.capacity));
  return el(
    "div",
    { class: `counter ${counter.allowed === false ? "no" : ""}` },
    el("p", null, limitText(limit), " · ", el("span", { class: "strong" }, state)),
    svg(
      "svg",
      { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "track", width: 100, height: 6 }),
      svg("rect", { class: "left", width: 100 * share, height: 6 }),
    ),
    el("p", { class: "under" }, notes.join(" · ")),
    counter.note === undefined ? null : el("p", { class: "under" }, counter.note),
  );
}

function notApplying(rules, omitted) {
  const all = rules.length + omitted;
  if (all === 0) {
    return null;
  }
  const shown = rules.slice(0, MAX_NOT_APPLYING);
  const more = all - shown.length;
  return el(
    "details",
    null,
    el("summary", null, `${plural(all, "rule does", "rules do")} not apply, and why`),
    el(
      "ul",
      { class: "not-applying" },
      shown.map((rule) => el("li", null, el("span", { class: "name strong" }, rule.rule), el("ul", null, reasons(rule).map((reason) => el("li", null, reason))))),
      more > 0 ? el("li", null, `and ${plural(more, "other", "others")}`) : null,
    ),
  );
}

function reasons(rule) {
  if (rule.failed.length > 0) {
    return rule.failed.map(({ value, is, expected }) => `${value} is ${is ?? "absent"} (expected: ${expected})`);
  }
  return [rule.outsideRollout ? "rollout: this caller is not included" : "the caller is absent (when-absent: skip)"];
}
