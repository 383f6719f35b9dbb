// The box that explains a request. It spends nothing.

import { call } from "./api.js";
import { announce, byId, el } from "./dom.js";
import { explanation } from "./explanation.js";
import { parseRequest } from "./request.js";

export class ExplainPanel {
  /** The listener gets onAct(target) for {query, label}. */
  constructor(onAct) {
    this.onAct = onAct;
    this.sent = 0;
    byId("explain").addEventListener("submit", (event) => {
      event.preventDefault();
      this.explain();
    });
    byId("explain-text").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.explain();
      }
    });
  }

  async explain() {
    const sent = ++this.sent;
    let parsed;
    try {
      parsed = parseRequest(byId("explain-text").value, byId("explain-peer").value);
    } catch (failure) {
      this.fail(failure.message);
      byId("explain-text").focus();
      return;
    }
    byId("explanation").setAttribute("aria-busy", "true");
    try {
      const answer = await call("POST", "explain", parsed.body);
      if (sent === this.sent) {
        const target = { query: parsed.body, label: parsed.label };
        byId("explanation").replaceChildren(...explanation(answer, parsed, () => this.onAct(target)));
        announce(byId("explanation").querySelector(".headline").textContent);
      }
    } catch (failure) {
      if (sent === this.sent) {
        this.fail(failure.message);
      }
    } finally {
      byId("explanation").removeAttribute("aria-busy");
    }
  }

  fail(text) {
    byId("explanation").replaceChildren(el("p", { class: "error", role: "alert" }, text));
  }
}
