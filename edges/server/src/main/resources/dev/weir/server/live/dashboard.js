// The page: follows the server's events and hands each part what it shows.

import { ActionForm } from "./action-form.js";
import { ActionsPanel } from "./actions.js";
import { whenUnauthorized } from "./api.js";
import { CallersPanel } from "./callers.js";
import { CandidatesPanel } from "./candidates.js";
import { Timelines } from "./chart-data.js";
import { Decisions } from "./decisions.js";
import { announce, byId, setText } from "./dom.js";
import { EventsPanel } from "./events.js";
import { ExplainPanel } from "./explain.js";
import { clock, duration, setServerTime, zone } from "./format.js";
import { HealthPanel } from "./health.js";
import { DeniedPanel, UsePanel } from "./rules.js";
import { Session } from "./session.js";
import { Stream } from "./stream.js";

const timelines = new Timelines();
const health = new HealthPanel();
const decisions = new Decisions(timelines);
const denied = new DeniedPanel(byId("denied"), (target) => form.open(target));
const use = new UsePanel(byId("use"));
const candidates = new CandidatesPanel(byId("candidates"), byId("candidate-list"));
const events = new EventsPanel();
const actions = new ActionsPanel();
const form = new ActionForm(() => actions.poll());
const act = (target) => form.open(target);
const callers = new CallersPanel(act);
new ExplainPanel(act);

const stream = new Stream({ onEvent, onState });
const session = new Session(
  () => stream.start(),
  () => {
    stream.stop();
    form.dialog.close();
    callers.forget();
  },
);
let link = "connecting";

function onEvent(name, data) {
  setServerTime(data.time);
  if (name === "snapshot") {
    timelines.load(data);
    events.load(data.events, data.eventCount);
    if (document.documentElement.dataset.role === "unknown") {
      session.refresh();
    }
  } else if (!timelines.add(data) || !events.add(data.events, data.eventCount)) {
    stream.restart(); // something was missed: a new snapshot has it
    return;
  }
  document.documentElement.dataset.seen = "yes";
  health.show(data.status, timelines, data.time);
  denied.show(data.denials, timelines.age);
  use.show(data.utilisation);
  candidates.show(data.candidates);
  const rules = [...data.denials, ...data.callers, ...data.utilisation].map((one) => one.rule);
  callers.onSecond(data.callers, rules);
  form.suggest(rules);
  decisions.show(events.events);
  setText(byId("link-text"), `Live, ${clock(data.time)}`);
  if (actions.there === null) {
    actions.poll();
  }
}

function onState(state) {
  const changed = state.link !== link;
  link = state.link;
  document.documentElement.dataset.link = link;
  byId("lost").hidden = link !== "lost";
  if (link !== "lost") {
    return;
  }
  if (changed) {
    health.showUnknown(timelines.time);
    setText(byId("link-text"), "Not live");
    const since = `No data from Weir since ${clock(timelines.time)}. What you see below is not of now.`;
    setText(byId("lost-text"), timelines.time === 0 ? "No data from Weir yet." : since);
    session.refresh();
  }
  const wait = Math.max(0, state.retryAt - Date.now());
  const next = wait === 0 ? "trying now…" : `next try in ${duration(Math.ceil(wait / 1_000) * 1_000)}`;
  const silent = state.since === 0 ? "" : `${duration(Math.ceil((Date.now() - state.since) / 1_000) * 1_000)} ago; `;
  setText(byId("lost-retry"), `${silent}${state.why === "" ? "" : `${state.why}; `}${next}`);
}

whenUnauthorized(() => {
  if (document.documentElement.dataset.role !== "none") {
    document.documentElement.dataset.role = "none";
    announce("The session has ended");
    session.refresh();
  }
});
byId("retry").addEventListener("click", () => stream.retry());
byId("new-action").addEventListener("click", () => act({}));
setText(byId("server"), location.host);
setText(byId("zone"), `Times are by the clock of the server, in the zone of this browser: ${zone(new Date())}. The log of the server is in UTC.`);
session.refresh().then(() => {
  if (document.documentElement.dataset.role === "unknown") {
    stream.start(); // it does not answer; the stream says so until it does
  }
});
