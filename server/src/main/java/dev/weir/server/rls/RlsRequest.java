package dev.weir.server.rls;

import dev.weir.domain.Entry;
import dev.weir.domain.Unit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client asks about one request of its own. */
public record RlsRequest(String domain, List<Question> questions) {
  /** The most descriptors a request may have. */
  public static final int MAX_DESCRIPTORS = 1_000;

  /** The most entries a descriptor may have. */
  public static final int MAX_ENTRIES = 100;

  /**
   * A descriptor.
   *
   * @param instead a limit that the client brings along, to be used instead of the configured one
   * @param hits what it costs; 0 is a look that costs nothing
   * @param refund whether so much is given back instead
   */
  public record Question(
      List<Entry> entries, @Nullable Instead instead, long hits, boolean refund) {
    boolean isLook() {
      return hits == 0;
    }
  }

  /** So many in each unit of time, says the client. */
  public record Instead(long requestsPerUnit, Unit unit) {}

  /**
   * @throws Refused if nobody could answer it; what was sent is not repeated
   */
  public RlsRequest {
    if (domain.isEmpty()) {
      throw new Refused("rate limit domain must not be empty");
    }
    if (questions.isEmpty()) {
      throw new Refused("rate limit descriptor list must not be empty");
    }
    check("descriptors", questions.size(), MAX_DESCRIPTORS);
    for (Question question : questions) {
      check("entries", question.entries.size(), MAX_ENTRIES);
    }
  }

  /** What a client has to change before it can be answered; never what it sent. */
  public static final class Refused extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public Refused(String message) {
      super(message);
    }
  }

  /**
   * @throws Refused if there are more than may be
   */
  static void check(String what, int number, int most) {
    if (number > most) {
      throw new Refused(what + ": " + number + " (expected: at most " + most + ")");
    }
  }
}
