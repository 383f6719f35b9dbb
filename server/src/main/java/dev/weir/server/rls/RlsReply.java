package dev.weir.server.rls;

import dev.weir.domain.Unit;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.server.rls.RlsWatcher.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a client is told.
 *
 * @param verdict whether its request is denied
 * @param statuses one for each descriptor, in their order
 * @param nearest of those that are limited the one to show: the last that denied, or the one with
 *     the least left
 * @param without how it was decided without the store, if it was; of several ways the strictest
 * @param metadata of all rules that let it pass, the first to name something having its say
 */
public record RlsReply(
    Verdict verdict,
    List<Status> statuses,
    Optional<Status> nearest,
    Optional<WhenStoreFails> without,
    Map<String, Object> metadata) {

  /** What remains where there is no limit, which is as much as the protocol can express. */
  public static final long MAX_REMAINING = 0xFFFF_FFFFL;

  public boolean over() {
    return verdict == Verdict.OVER_LIMIT;
  }

  /** Whether it is denied only because the store did not answer. */
  public boolean isUnanswered() {
    return over() && without.filter(way -> way == WhenStoreFails.DENY).isPresent();
  }

  /**
   * About one descriptor.
   *
   * @param limit that applies, if one does
   * @param resetSeconds until it is as if never used, or a denied request may come again; rounded
   *     up, because who comes earlier is denied
   */
  public record Status(boolean over, @Nullable Current limit, long remaining, long resetSeconds) {
    static final Status UNLIMITED = new Status(false, null, MAX_REMAINING, 0);
    static final Status UNMATCHED = new Status(false, null, 0, 0);
  }

  /** A limit in the words of the protocol. */
  public record Current(long requestsPerUnit, Unit unit, String name) {}
}
