// How far the limits of rules and their candidates agree.

import { el, Fold, Rows, setAttribute, setText } from "./dom.js";
import { count, percent } from "./format.js";

const COLUMNS = [
  ["Agree", "Both let the request pass, or both deny it"],
  ["Only the candidate denies", "What the candidate would deny more, if it were in force for all callers"],
  ["Only the limit denies", "What the candidate would deny less"],
];

/** The shares of judged requests; null if none was judged. */
export function shares(counts) {
  const more = counts["candidate-denies"];
  const less = counts["candidate-allows"];
  const same = counts["both-allow"] + counts["both-deny"];
  const all = same + more + less;
  return all === 0 ? null : { all, agree: same / all, more: more / all, less: less / all };
}

/** What a candidate would change, in words. */
export function summary(counts) {
  const of = shares(counts);
  if (of === null) {
    return "nothing was judged";
  }
  const parts = [of.more > 0 ? `would deny ${percent(of.more)} more` : "", of.less > 0 ? `would deny ${percent(of.less)} less` : ""].filter((part) => part !== "");
  return `${parts.length === 0 ? "decides the same" : parts.join(" and ")}, of ${count(of.all)} requests`;
}

export class CandidatesPanel {
  constructor(section, host) {
    this.section = section;
    this.body = el("tbody");
    this.fold = new Fold(this.body);
    host.append(
      el(
        "table",
        { class: "plain" },
        el("caption", null, "In the last minute, and since the start of this server. A candidate denies only callers of its rollout."),
        el("thead", null, el("tr", null, el("th", { scope: "col" }, "Rule"), COLUMNS.map(([name, title]) => el("th", { scope: "col", title }, name)))),
        this.body,
      ),
      this.fold.button,
    );
    this.rows = new Rows(this.body, (one) => candidateRow(one));
  }

  show(candidates) {
    this.section.hidden = candidates.length === 0;
    this.rows.show(candidates, (one) => one.rule);
    this.fold.update();
  }
}

function candidateRow(one) {
  const cells = COLUMNS.map(() => [el("span", { class: "strong" }), el("span", { class: "under" })]);
  const rule = el("th", { scope: "row", class: "name" }, one.rule, " ");
  const words = el("span", { class: "under" });
  rule.append(el("br"), words);
  const node = el("tr", null, rule, cells.map(([now, total]) => el("td", null, now, " ", total)));
  return {
    node,
    update({ minute, total }) {
      const recent = shares(minute);
      const all = shares(total);
      setText(words, `candidate ${summary(recent === null ? total : minute)}`);
      ["agree", "more", "less"].forEach((key, at) => {
        setText(cells[at][0], recent === null ? "–" : percent(recent[key]));
        setText(cells[at][1], all === null ? "" : `(${percent(all[key])})`);
        setAttribute(cells[at][1], "title", all === null ? null : `of ${count(all.all)} requests since the start`);
      });
    },
  };
}
