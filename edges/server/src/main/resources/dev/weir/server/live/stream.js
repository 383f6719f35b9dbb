// The events of the server. If they stop, the page says so, and comes back by itself.

import { ApiError, errorOf } from "./api.js";

const SILENCE_MILLIS = 3_500;
const GIVE_UP_MILLIS = 9_000;
const MIN_BACKOFF_MILLIS = 500;
const MAX_BACKOFF_MILLIS = 10_000;
const MAX_CHARS = 4 << 20;

/** Splits a stream into server-sent events. */
async function readEvents(body, onEvent) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    rest += value;
    if (rest.length > MAX_CHARS) {
      throw new ApiError(0, "The server sent an event that is too long");
    }
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      let name = "message";
      let data = "";
      for (const line of block.split("\n")) {
        if (line.startsWith("event: ")) {
          name = line.slice(7);
        } else if (line.startsWith("data: ")) {
          data += line.slice(6);
        }
      }
      if (data !== "") {
        onEvent(name, JSON.parse(data));
      }
    }
  }
}

/**
 * Follows /live. The listener gets onEvent(name, data), and onState(state) with
 * {link: "connecting"|"live"|"lost", since, why, retryAt}: since is when the last event came.
 */
export class Stream {
  constructor(listener) {
    this.listener = listener;
    this.link = "connecting";
    this.lastEvent = 0;
    this.failures = 0;
    this.why = "";
    this.retryAt = 0;
    this.running = 0; // the number of the loop that runs, or 0
    this.loops = 0;
    this.abort = null;
    this.wake = () => {};
    setInterval(() => this.watch(), 500);
  }

  start() {
    if (this.running === 0) {
      this.running = ++this.loops;
      this.openedAt = Date.now();
      this.lastEvent = 0;
      this.run(this.running);
    }
  }

  stop() {
    this.running = 0;
    this.abort?.abort();
    this.wake();
    this.setLink("connecting");
  }

  /** Does not wait any longer. */
  retry() {
    this.wake();
  }

  /** Begins again, with a new snapshot. */
  restart() {
    this.abort?.abort();
  }

  async run(loop) {
    while (this.running === loop) {
      this.abort = new AbortController();
      this.attemptAt = Date.now();
      this.retryAt = 0;
      try {
        await this.connect(this.abort.signal);
        this.why = "The server has closed the stream";
      } catch (failure) {
        this.why = failure instanceof ApiError ? failure.message : "The server cannot be reached";
      }
      if (this.running === loop) {
        await this.pause();
      }
    }
  }

  async connect(signal) {
    const response = await fetch("live", { signal, cache: "no-store", credentials: "same-origin" });
    if (!response.ok) {
      throw await errorOf(response);
    }
    await readEvents(response.body, (name, data) => {
      this.lastEvent = Date.now();
      this.failures = 0;
      this.setLink("live");
      try {
        this.listener.onEvent(name, data);
      } catch (failure) {
        reportError(failure); // a fault of this page is none of the connection
      }
    });
  }

  async pause() {
    const longest = Math.min(MAX_BACKOFF_MILLIS, MIN_BACKOFF_MILLIS * 2 ** this.failures);
    const wait = longest * (0.75 + Math.random() / 4);
    this.failures++;
    this.retryAt = Date.now() + wait;
    if (this.failures > 1) {
      this.setLink("lost"); // the first attempt may heal it before anybody has to know
    }
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = () => {};
  }

  watch() {
    if (this.running === 0) {
      return;
    }
    const silent = Date.now() - Math.max(this.lastEvent, this.lastEvent === 0 ? this.openedAt : 0);
    if (silent > SILENCE_MILLIS) {
      this.setLink("lost");
    }
    const unanswered = Date.now() - Math.max(this.lastEvent, this.attemptAt ?? 0);
    if (unanswered > GIVE_UP_MILLIS && this.retryAt === 0) {
      this.abort?.abort(); // a connection that is open and dead
    }
    this.report();
  }

  setLink(link) {
    if (this.link !== link) {
      this.link = link;
      this.report();
    }
  }

  report() {
    this.listener.onState({
      link: this.link,
      since: this.lastEvent,
      why: this.why,
      retryAt: this.retryAt,
    });
  }
}
