package dev.weir.server.store;

import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.domain.DomainRule;
import java.util.Collection;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How many rules, limits of domains included, have each failure mode. */
public record FailureModeCounts(long allow, long deny, long local) {
  static final FailureModeCounts NONE = new FailureModeCounts(0, 0, 0);

  /** Counts the active rules, once for each version of them. */
  public static Supplier<FailureModeCounts> of(Supplier<RulesSnapshot> active) {
    return new Supplier<>() {
      private volatile @Nullable Version last;

      @Override
      @SuppressWarnings("ReferenceEquality") // another version is another object
      public FailureModeCounts get() {
        RulesSnapshot live = active.get();
        Version known = last;
        if (known == null || known.live != live) {
          known = new Version(live, of(live, live.rules().domains().rules()));
          last = known;
        }
        return known.modes;
      }
    };
  }

  private record Version(RulesSnapshot live, FailureModeCounts modes) {}

  private static FailureModeCounts of(RulesSnapshot live, Collection<DomainRule> domains) {
    return new FailureModeCounts(
        count(live, domains, FailureMode.ALLOW),
        count(live, domains, FailureMode.DENY),
        count(live, domains, FailureMode.LOCAL));
  }

  private static long count(
      RulesSnapshot live, Collection<DomainRule> domains, FailureMode wanted) {
    return Stream.concat(
            live.book().rules().stream().map(FailureModeCounts::mode),
            domains.stream()
                .filter(one -> one.rate() != null)
                .map(one -> one.enforcement().failureMode()))
        .filter(mode -> mode == wanted)
        .count();
  }

  /** A rule in local mode never calls the store, and always counts locally. */
  private static FailureMode mode(Rule rule) {
    return rule.mode().isLocal() ? FailureMode.LOCAL : rule.failureMode();
  }

  @Override
  public String toString() {
    return "allow: " + allow + ", deny: " + deny + ", count locally: " + local;
  }
}
