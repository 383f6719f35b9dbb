package dev.weir.library;

import dev.weir.http.request.HttpRequest;
import dev.weir.rule.book.Match;
import dev.weir.rules.ActiveRules;
import java.util.concurrent.CompletableFuture;

/**
 * Limits requests by a rules file, exactly as {@code weir serve} does: the same canonical paths,
 * the same identities, the same counters. Changes of the file become active within a second.
 *
 * <p>Make one with {@link Weir#rules}. Safe for use by any number of threads.
 */
public final class RulesLimiter {
  private final Engine engine;
  private final ActiveRules rules;

  RulesLimiter(Engine engine, ActiveRules rules) {
    this.engine = engine;
    this.rules = rules;
  }

  /**
   * Decides about a request, and charges it if it may pass.
   *
   * @throws IllegalArgumentException if the request is null
   * @throws IllegalStateException if the {@link Weir} is closed
   */
  public RateLimitDecision check(HttpRequest request) {
    return engine.take(match(request));
  }

  /** {@link #check} without waiting for the store. A token is verified on the calling thread. */
  public CompletableFuture<RateLimitDecision> checkAsync(HttpRequest request) {
    return engine.takeAsync(match(request));
  }

  private Match match(HttpRequest request) {
    return rules.current().match(Arguments.present("request", request), 0);
  }

  /** The version of the rules that are active, as {@code weir validate} prints it. */
  public String version() {
    return rules.current().version();
  }
}
