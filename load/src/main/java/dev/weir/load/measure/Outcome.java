package dev.weir.load.measure;

/** What became of a request. */
public enum Outcome {
  /** Answered in time with a status below 400: useful to its client. */
  OK("ok"),

  /** Answered with 429: a rate limit denied it. */
  LIMITED("limited (429)"),

  /** Answered with 503 and Retry-After: a server sheds load and says so. */
  SHED("shed (503 with Retry-After)"),

  /** Answered with another status from 400 on. */
  ERROR("error status"),

  /** Not answered in time; its client gave up and closed the connection. */
  TIMEOUT("timeout"),

  /** Not sent, because as many requests as allowed were in flight. */
  NOT_SENT("not sent: too many in flight"),

  /** Not sent, because no connection could be opened. */
  NOT_CONNECTED("no connection"),

  /** The server closed the connection before the answer was complete. */
  DISCONNECTED("connection closed"),

  /** The answer was not HTTP. */
  MALFORMED("malformed answer");

  private final String label;

  Outcome(String label) {
    this.label = label;
  }

  /** The outcome of an answer. */
  public static Outcome ofStatus(int status, boolean retryAfter) {
    if (status < 400) {
      return OK;
    }
    return status == 429 ? LIMITED : status == 503 && retryAfter ? SHED : ERROR;
  }

  /** A few words for tables. */
  public String label() {
    return label;
  }

  /** Whether nobody turned the request away on purpose: it succeeded or failed by itself. */
  public boolean isAdmitted() {
    return this != LIMITED && this != SHED;
  }

  /** Whether the request was admitted and yet not useful. */
  public boolean isFailure() {
    return isAdmitted() && this != OK;
  }

  /** Whether the time until this outcome is the latency that a client saw. */
  public boolean hasLatency() {
    return this != NOT_SENT;
  }
}
