// Is Weir itself deciding? One sentence, and the facts behind it.

import { announce, byId, el, ICONS, setAttribute, setIcon, setText } from "./dom.js";
import { age, clock, count, latency, moment, percent, plural, rate } from "./format.js";
import { REFUSED } from "./chart-data.js";

const RATE_SECONDS = 5;
const NAMES = { redis: "Redis" };

/** What the status means: {state, title, more, mode}. */
export function verdict(status) {
  const { store } = status;
  const own = store.kind === "embedded";
  const where = own ? "in this process" : `in ${NAMES[store.kind] ?? store.kind}`;
  const mode = `counters ${where}`;
  if (status.draining) {
    return { state: "warn", title: "This server is about to stop", more: "It still decides what it is asked.", mode };
  }
  if (!status.ready) {
    return { state: "bad", title: "This server takes no traffic", more: "It is not ready.", mode };
  }
  if (!store.answers) {
    return withoutStore(store);
  }
  if (store.breaker !== undefined && store.breaker !== "closed") {
    return { state: "warn", title: "Weir decides, and tests its store", more: "Some requests are decided without the store.", mode };
  }
  if (status.problems.length > 0) {
    const many = plural(status.problems.length, "problem needs", "problems need");
    return { state: "warn", title: `Weir decides; ${many} a look`, more: "Requests are decided by the active rules.", mode };
  }
  return { state: "ok", title: "Weir decides every request", more: `Counters are ${where}, and nothing is wrong.`, mode };
}

/** By what the rules say for this case, the most dangerous first. */
function withoutStore(store) {
  const { allow = 0, deny = 0, local = 0 } = store.whenStoreFails ?? {};
  const parts = [
    [allow, "lets everything pass", "let everything pass"],
    [deny, "denies everything", "deny everything"],
    [local, "counts on each server alone", "count on each server alone"],
  ];
  const words = parts
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => `${plural(number, "rule", "rules")} ${number === 1 ? one : many}`);
  return {
    state: allow + deny > 0 ? "bad" : "warn",
    title: allow > 0 ? "The store does not answer, and requests pass uncounted" : deny > 0 ? "The store does not answer, and requests are denied" : "The store does not answer: each server counts alone",
    more: words.length === 0 ? "No rule applies." : `By failure mode: ${words.join(", ")}.`,
    mode: "by failure mode",
  };
}

export class HealthPanel {
  constructor() {
    this.panel = byId("health");
    this.facts = new Map();
    this.problems = "";
    this.said = "";
  }

  /** Shows the status of a second. */
  show(status, timelines, now) {
    byId("facts").hidden = false;
    const found = verdict(status);
    this.say(found.state, found.title, found.more);
    this.showProblems(status.problems);
    const { store } = status;
    const remote = store.kind !== "embedded";
    this.fact("Store", store.answers ? "answers" : "no answer", store.answers ? "" : "bad", this.address(store));
    if (remote) {
      const breaker = store.breaker ?? "closed";
      this.fact("Circuit breaker", breaker, breaker === "closed" ? "" : "bad", breaker === "closed" ? "requests go to the store" : "requests skip the store");
    }
    this.fact("Mode", store.answers ? "normal" : "degraded", store.answers ? "" : "bad", found.mode);
    this.fact("p99 of decisions", status.p99Micros === undefined ? "–" : latency(status.p99Micros), "", status.p99Micros === undefined ? "no requests in 10 s" : "at most, last 10 s");
    this.showTraffic(timelines);
    const since = Date.parse(status.rulesSince ?? "");
    const sinceText = Number.isNaN(since) ? "" : `since ${moment(since)} (${age(Math.max(1_000, now - since))})`;
    this.fact("Rules", status.rules === "" ? "none" : status.rules, status.rules === "" ? "bad" : "", sinceText, "mono");
    const servers = remote ? (store.servers ?? 1) : 1;
    const sharing = servers === 1 ? "uses the store alone" : "share the store";
    this.fact("Servers", count(servers), "", remote ? sharing : "has its own counters");
    if ((store.pendingKeys ?? 0) > 0) {
      this.fact("Pending charges", count(store.pendingKeys), "warn", "keys to charge to the store");
    } else {
      this.facts.get("Pending charges")?.remove();
      this.facts.delete("Pending charges");
    }
    document.title = `${found.state === "ok" ? "" : "⚠ "}${found.title} · Weir`;
  }

  address(store) {
    if (store.kind === "embedded") {
      return "embedded";
    }
    const since = Date.parse(store.outages?.[0]?.since ?? "");
    const out = Number.isNaN(since) ? "" : `, since ${clock(since)}`;
    return `${store.address ?? store.kind}${out}`;
  }

  showTraffic(timelines) {
    let all = 0;
    let refused = 0;
    for (const outcome of Object.keys(timelines.seconds)) {
      const now = timelines.recent(outcome, RATE_SECONDS);
      all += now;
      refused += REFUSED.has(outcome) ? now : 0;
    }
    this.fact("Decisions", `${rate(all)}/s`, "", all === 0 ? "no requests in 5 s" : `${percent(refused / all)} turned away`);
  }

  /** Nobody knows: the page has no data of now. */
  showUnknown(since) {
    const when = since === 0 ? "no data yet" : `no data since ${clock(since)}`;
    this.say("unknown", `Unknown whether Weir decides: ${when}`, since === 0 ? "" : "Everything below is from then.");
    document.title = `⚠ ${when} · Weir`;
  }

  say(state, title, more) {
    setAttribute(this.panel, "data-state", state);
    setIcon(byId("verdict-icon"), ...ICONS[state]);
    setText(byId("verdict"), title);
    setText(byId("verdict-more"), more);
    if (this.said !== title) {
      this.said = title;
      announce(title);
    }
  }

  showProblems(problems) {
    const key = problems.join("\n");
    if (key !== this.problems) {
      this.problems = key;
      byId("problems").replaceChildren(...problems.map((problem) => el("li", null, problem)));
    }
  }

  fact(name, value, level, under, kind) {
    let node = this.facts.get(name);
    if (node === undefined) {
      node = el("div", null, el("dt", null, name), el("dd"), el("dd", { class: "under" }));
      this.facts.set(name, node);
      byId("facts").append(node);
    }
    const [, main, note] = node.children;
    setText(main, value);
    main.className = `${level} ${kind ?? ""}`.trim();
    setText(note, under);
  }
}
