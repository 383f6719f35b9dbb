package dev.weir.server;

import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.StoreFailure.Effect;
import dev.weir.rule.Rule.WhenStoreFails;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Optional;

/** Says of a decision that the store had no part in it, because it did not answer. */
final class Degraded {
  private static final CharSequence HEADER = HttpHeaders.createOptimized("Weir-Degraded");

  private Degraded() {}

  /**
   * How it was made; nothing of a decision that is as good as any. A denial is as good as the claim
   * that denied; otherwise it is the strictest way that any claim went.
   */
  static Optional<WhenStoreFails> way(Decision decision) {
    if (decision.basis().compareTo(Basis.ALONE) < 0) {
      return Optional.empty();
    }
    if (!decision.allowed()) {
      return way(decision.each().get(decision.decisive().orElseThrow()).basis());
    }
    boolean alone = decision.each().stream().anyMatch(one -> one.basis() == Basis.ALONE);
    return way(alone ? Basis.ALONE : decision.basis());
  }

  private static Optional<WhenStoreFails> way(Basis basis) {
    return switch (basis) {
      case COUNTED, LEASED, REMEMBERED -> Optional.empty();
      case ALONE -> Optional.of(WhenStoreFails.LOCAL);
      case UNCOUNTED -> Optional.of(WhenStoreFails.ALLOW);
    };
  }

  /** As rules have it. */
  static String word(WhenStoreFails way) {
    return way.name().toLowerCase(Locale.ROOT);
  }

  static void mark(HttpServerResponse response, WhenStoreFails way) {
    response.putHeader(HEADER, (CharSequence) word(way));
  }

  /** Turns a request away, since a rule lets nothing pass that it cannot count. */
  static void deny(HttpServerRequest request, int status, Effect effect) {
    mark(request.response(), WhenStoreFails.DENY);
    Replies.unavailable(request, denial(status, effect));
  }

  /** The same in a document. */
  static JsonObject denial(int status, Effect effect) {
    return Replies.unavailable(status, effect).put("degraded", word(WhenStoreFails.DENY));
  }
}
