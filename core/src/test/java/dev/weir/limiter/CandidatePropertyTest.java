package dev.weir.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter.Listener;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Allowance;
import dev.weir.rule.Candidate;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Over random traces, both sets of limits decide as each would alone. */
class CandidatePropertyTest {
  private static final List<Algorithm> RATES =
      List.of(
          Algorithm.TOKEN_BUCKET,
          Algorithm.LEAKY_BUCKET,
          Algorithm.FIXED_WINDOW,
          Algorithm.SLIDING_LOG,
          Algorithm.SLIDING_COUNTER);
  private static final Identity USER = Identity.of("user");
  private static final int CALLERS = 6;
  private static final int REQUESTS = 400;

  private final KeySpace keys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));

  /** A limiter with counters of its own. */
  private final class Alone {
    final List<Agreement> agreements = new ArrayList<>();
    final RuleBook book;
    final Limiter limiter;

    Alone(Rule.Builder... rules) {
      book = RuleBook.of(List.of(rules).stream().map(Rule.Builder::build).toList(), keys);
      limiter =
          new Limiter(
              new MemoryStore(10_000, ticker),
              new Listener() {
                @Override
                public void onOutcome(Rule rule, Outcome outcome, Subject subject) {}

                @Override
                public void onCandidate(Rule rule, Agreement agreement) {
                  agreements.add(agreement);
                }
              });
    }

    Match match(int caller) {
      return book.match(Descriptor.of(Map.of("user", "u" + caller)));
    }

    Decision take(int caller) {
      return limiter.take(match(caller)).join();
    }
  }

  private static Limit limit(Algorithm algorithm, SplittableRandom random) {
    long permits = 1 + random.nextLong(12);
    Duration window = Duration.ofMillis(1 + random.nextLong(10_000));
    return switch (algorithm) {
      case TOKEN_BUCKET -> Limit.tokenBucket(permits, window, 1 + random.nextLong(20));
      case LEAKY_BUCKET -> Limit.leakyBucket(permits, window, random.nextLong(20));
      case FIXED_WINDOW -> Limit.fixedWindow(permits, window);
      case SLIDING_LOG -> Limit.slidingLog(permits, window);
      case SLIDING_COUNTER -> Limit.slidingCounter(permits, window);
      case CONCURRENCY -> throw new IllegalArgumentException("a candidate holds no permits");
    };
  }

  private static Allowance limits(SplittableRandom random) {
    List<Limit> limits = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      limits.add(limit(RATES.get(random.nextInt(RATES.size())), random));
    }
    return new Allowance(false, limits);
  }

  private static Rule.Builder rule() {
    return Rule.named("r").per(USER);
  }

  private void pass(SplittableRandom random) {
    ticker.advanceMicros(random.nextInt(3) == 0 ? random.nextLong(4_000_000) : 0);
  }

  @Test
  void candidateInForceForNobodyChangesNoDecision() {
    Seeds.run(
        random -> {
          for (Algorithm algorithm : RATES) {
            for (int round = 0; round < Effort.of(4, 100); round++) {
              Limit limit = limit(algorithm, random);
              Limit other = limit(Algorithm.SLIDING_LOG, random);
              Rule.Builder second = Rule.named("second").limit(other);
              Alone without = new Alone(rule().limit(limit), second);
              Candidate candidate = Candidate.of(limits(random));
              Alone with = new Alone(rule().limit(limit).candidate(candidate), second);
              for (int i = 0; i < REQUESTS; i++) {
                pass(random);
                int caller = random.nextInt(CALLERS);
                assertThat(with.take(caller)).isEqualTo(without.take(caller));
              }
              assertThat(with.agreements).isNotEmpty();
            }
          }
        });
  }

  @Test
  void eachSetOfLimitsDecidesAsItWouldAloneWhicheverIsInForce() {
    Seeds.run(
        random -> {
          for (int round = 0; round < Effort.of(60, 2_000); round++) {
            Allowance limits = limits(random);
            Allowance proposed = limits(random);
            int share = random.nextInt(Rule.WHOLE + 1);
            boolean shadow = random.nextInt(4) == 0;
            Candidate candidate = Candidate.of(proposed).withRollout(share);
            Rule.Builder rule = rule().allow(limits).candidate(candidate);
            Alone both = new Alone(rule.enforced(shadow ? 0 : Rule.WHOLE));
            Alone limit = new Alone(rule().allow(limits));
            Alone alone = new Alone(rule().allow(proposed));
            for (int i = 0; i < REQUESTS; i++) {
              pass(random);
              int caller = random.nextInt(CALLERS);
              Decision decision = both.take(caller);
              Decision first = limit.take(caller);
              Decision second = alone.take(caller);
              boolean inForce = !both.match(caller).twins().get(0).ofCandidate();
              if (!shadow) {
                assertThat(decision).isEqualTo(inForce ? second : first);
              }
              assertThat(both.agreements.get(i))
                  .isEqualTo(Agreement.of(first.allowed(), second.allowed()));
            }
            assertThat(Set.copyOf(both.agreements)).isNotEmpty();
          }
        });
  }
}
