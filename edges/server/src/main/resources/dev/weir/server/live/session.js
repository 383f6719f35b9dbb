// Who is at the page, and what the server lets them do. A server without sessions lets everybody act.

import { call, callIfThere } from "./api.js";
import { announce, byId, setText } from "./dom.js";

export class Session {
  /** The listeners are called when there is a role, and when there is none any more. */
  constructor(onRole, onNone) {
    this.onRole = onRole;
    this.onNone = onNone;
    byId("login").addEventListener("submit", (event) => {
      event.preventDefault();
      this.logIn();
    });
    byId("log-out").addEventListener("click", () => this.logOut());
  }

  /** Asks the server who this is. */
  async refresh() {
    let session;
    try {
      session = (await callIfThere("GET", "session")) ?? { role: "operator", name: "", required: false };
    } catch {
      return; // the stream says that the server does not answer, and asks again
    }
    const { role, name, required } = session;
    document.documentElement.dataset.role = role;
    const known = role !== "none";
    byId("who").hidden = !(required && known);
    byId("log-out").hidden = !(required && known);
    setText(byId("who"), name ? `${name}, ${role}` : role);
    byId("login").hidden = known;
    byId("board").hidden = !known;
    if (known) {
      this.onRole();
    } else {
      this.onNone();
      byId("login-token").focus();
    }
  }

  async logIn() {
    const name = byId("login-name").value.trim();
    const token = byId("login-token").value;
    try {
      await call("POST", "login", name === "" ? { token } : { token, name });
      setText(byId("login-error"), "");
      announce("Logged in");
      await this.refresh();
      byId("main").focus();
    } catch (failure) {
      setText(byId("login-error"), failure.message);
      byId("login-token").select();
    }
    if (!byId("board").hidden) {
      byId("login-token").value = "";
    }
  }

  async logOut() {
    try {
      await call("POST", "logout", {});
    } catch (failure) {
      announce(`Not logged out: ${failure.message}`);
    }
    await this.refresh();
  }
}
