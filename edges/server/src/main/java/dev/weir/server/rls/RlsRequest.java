package dev.weir.server.rls;

import dev.weir.rules.domain.Entry;
import dev.weir.rules.domain.Unit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request to the rate limit service: a domain, and the descriptors to check. */
public record RlsRequest(String domain, List<DescriptorQuery> queries) {
  /** The maximum number of descriptors in a request. */
  public static final int MAX_DESCRIPTORS = 1_000;

  /** The maximum number of entries in a descriptor. */
  public static final int MAX_ENTRIES = 100;

  /**
   * A descriptor to check.
   *
   * @param override a limit of the client that replaces the configured one, if present
   * @param hits the cost; 0 only peeks
   * @param refund whether the hits are given back instead of charged
   */
  public record DescriptorQuery(
      List<Entry> entries, @Nullable LimitOverride override, long hits, boolean refund) {
    boolean isPeek() {
      return hits == 0;
    }
  }

  /** A limit that the client sends with a descriptor. */
  public record LimitOverride(long requestsPerUnit, Unit unit) {}

  /**
   * Checks the bounds of a request.
   *
   * @throws Refused if it has no domain or no descriptors, or exceeds a bound; its values are not
   *     repeated
   */
  public RlsRequest {
    if (domain.isEmpty()) {
      throw new Refused("rate limit domain must not be empty");
    }
    if (queries.isEmpty()) {
      throw new Refused("rate limit descriptor list must not be empty");
    }
    check("descriptors", queries.size(), MAX_DESCRIPTORS);
    for (DescriptorQuery query : queries) {
      check("entries", query.entries.size(), MAX_ENTRIES);
    }
  }

  /** A malformed request; the message says what to change, and never repeats what was sent. */
  public static final class Refused extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** With a message for the client. */
    public Refused(String message) {
      super(message);
    }
  }

  /**
   * Checks a number against its bound.
   *
   * @throws Refused if the number exceeds it
   */
  public static void check(String what, int number, int max) {
    if (number > max) {
      throw new Refused(what + ": " + number + " (expected: at most " + max + ")");
    }
  }
}
