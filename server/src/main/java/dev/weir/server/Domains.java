package dev.weir.server;

import dev.weir.domain.DomainBook;
import dev.weir.key.KeySpace;
import dev.weir.server.rls.RlsRules;
import dev.weir.yaml.LiveRules;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Where the domains of Envoy's rate limit service are found, and what their counters get their keys
 * from.
 *
 * @param of the domains of one version of the rules
 * @param keys those that the rules are loaded with
 */
public record Domains(Function<LiveRules, DomainBook> of, KeySpace keys) {

  /** For a server that has none: only rules of our own answer. */
  public static Domains none() {
    return new Domains(live -> DomainBook.EMPTY, KeySpace.random());
  }

  /** What decides about a request that comes now: made once for each version of the rules. */
  Supplier<RlsRules> rules(Supplier<LiveRules> watch) {
    return new Supplier<>() {
      private volatile Version last = version(watch.get());

      @Override
      @SuppressWarnings("ReferenceEquality") // another version is another object
      public RlsRules get() {
        LiveRules live = watch.get();
        Version known = last;
        if (known.live != live) {
          known = version(live);
          last = known;
        }
        return known.rules;
      }
    };
  }

  private record Version(LiveRules live, RlsRules rules) {}

  private Version version(LiveRules live) {
    return new Version(live, RlsRules.of(of.apply(live), live.book(), keys));
  }
}
