package dev.weir.server.rls;

import dev.weir.rule.FailureMode;
import dev.weir.rules.domain.Unit;
import dev.weir.server.rls.RlsListener.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reply to a request.
 *
 * @param verdict whether the request is denied
 * @param statuses one for each descriptor, in their order
 * @param nearest the status to show in headers: the last limited descriptor that denied, or the one
 *     with the least remaining
 * @param failureMode the failure mode that decided because the store did not answer, if any; of
 *     several modes the strictest
 * @param metadata of all rules that let the request pass; the first rule that sets a name wins
 */
public record RlsReply(
    Verdict verdict,
    List<Status> statuses,
    Optional<Status> nearest,
    Optional<FailureMode> failureMode,
    Map<String, Object> metadata) {

  /** What remains where there is no limit: the maximum of the protocol. */
  public static final long MAX_REMAINING = 0xFFFF_FFFFL;

  /** Whether the request is denied. */
  public boolean over() {
    return verdict == Verdict.OVER_LIMIT;
  }

  /** Whether it is denied only because the store did not answer. */
  public boolean isUnanswered() {
    return over() && failureMode.filter(mode -> mode == FailureMode.DENY).isPresent();
  }

  /**
   * The status of one descriptor.
   *
   * @param limit the limit that applies; null if none does
   * @param resetSeconds until the counter is as if never used, or a denied request may be retried;
   *     rounded up, because an earlier request is denied
   */
  public record Status(boolean over, @Nullable Current limit, long remaining, long resetSeconds) {
    static final Status UNLIMITED = new Status(false, null, MAX_REMAINING, 0);
    static final Status UNMATCHED = new Status(false, null, 0, 0);
  }

  /** A limit in the terms of the protocol. */
  public record Current(long requestsPerUnit, Unit unit, String name) {}
}
