package dev.weir.server.telemetry;

import dev.weir.Decision;
import dev.weir.rule.book.Match;
import org.jspecify.annotations.Nullable;

/**
 * Notes what becomes of one request. Edges report to it as they go; whether anybody is interested
 * is not theirs to know. One thread at a time reports.
 */
public class RequestObserver {
  /** Notes nothing. */
  public static final RequestObserver NONE = new RequestObserver();

  RequestObserver() {}

  /**
   * Notes what the request is about, once it is about to be decided.
   *
   * @param target a path with perhaps a query, or a URL
   */
  public void onRequest(@Nullable String method, @Nullable String target) {}

  /**
   * Begins to note one of several requests in one body.
   *
   * @param operation what to do with the permits
   * @param target a path with perhaps a query, or a URL
   */
  public RequestObserver part(String operation, @Nullable String method, @Nullable String target) {
    return this;
  }

  /** Notes the decision. */
  public void onDecision(Match match, Decision decision) {}

  /** Notes that the store did not answer, and a rule denies without it. */
  public void onUnanswered(Match match) {}

  /** Notes what became of the request, where that is no decision on a match. */
  public void onDecided(Decided decided) {}

  /**
   * Ends the note of a request that was {@linkplain Telemetry#beginOpen begun open}; all others end
   * by themselves.
   *
   * @param status of the answer; negative if there was none
   */
  public void end(int status) {}

  /**
   * The identifier of the trace that the request belongs to, or null.
   *
   * @return 32 hexadecimal digits
   */
  public @Nullable String traceId() {
    return null;
  }
}
