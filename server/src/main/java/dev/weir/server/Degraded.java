package dev.weir.server;

import dev.weir.Decision;
import dev.weir.Decision.Basis;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;

/** Says of a decision that the store had no part in it, because it did not answer. */
final class Degraded {
  private static final CharSequence HEADER =
      io.vertx.core.http.HttpHeaders.createOptimized("Weir-Degraded");

  private Degraded() {}

  /**
   * How, in a word; nothing of a decision that is as good as any. A denial is as good as the claim
   * that denied; otherwise it is the strictest way that any claim went.
   */
  static Optional<String> word(Decision decision) {
    if (decision.basis().compareTo(Basis.ALONE) < 0) {
      return Optional.empty();
    }
    if (!decision.allowed()) {
      return word(decision.each().get(decision.decisive()).basis());
    }
    boolean alone = decision.each().stream().anyMatch(one -> one.basis() == Basis.ALONE);
    return word(alone ? Basis.ALONE : decision.basis());
  }

  private static Optional<String> word(Basis basis) {
    return switch (basis) {
      case COUNTED, LEASED, REMEMBERED -> Optional.empty();
      case ALONE -> Optional.of("local");
      case UNCOUNTED -> Optional.of("allow");
    };
  }

  static void mark(HttpServerResponse response, Decision decision) {
    word(decision).ifPresent(word -> response.putHeader(HEADER, (CharSequence) word));
  }
}
