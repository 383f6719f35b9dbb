package dev.weir.redis.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision.Verdict;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The algorithms are implemented twice, in Java and in the scripts; this test compares every field
 * of their decisions: for a hundred thousand operations in every build, a million in a thorough
 * one. {@code -Dweir.operations} sets the number.
 */
class ScriptDifferentialTest {
  private static final int OPERATIONS = Effort.of("weir.operations", 100_000, 1_000_000);
  private static final int TIMELINES = 200;
  private static final int CALLS_EACH = 60;

  private final Map<Algorithm, Map<Verdict, Long>> verdicts = new EnumMap<>(Algorithm.class);

  @ParameterizedTest
  @EnumSource
  void scriptsAndJavaDecideRandomOperationsEqually(Binaries binary) {
    // More with the embedded Redis, which is never skipped.
    int operations = binary == Binaries.EMBEDDED ? OPERATIONS : OPERATIONS / 5;
    RedisBinary program = binary.get();
    Seeds.run(
        random -> {
          try (RedisServer redis = RedisServer.start(program);
              ScriptCalls script = new ScriptCalls(redis)) {
            long made = 0;
            while (made < operations) {
              made += round(random, script);
            }
            System.out.printf(
                "%,d operations, %,d with a stale calendar, %,d calls of takes.lua, %,d"
                    + " of them repeated with claims.lua, 0 differences; claims: %s%n",
                made, script.stale(), script.plain(), script.fallbacks(), verdicts);
            assertThat(script.stale()).isGreaterThan(made / 1_000);
            assertThat(script.plain()).isGreaterThan(made / 50);
            assertThat(script.fallbacks()).isGreaterThan(made / 4_000);
          }
          // Equal decisions prove little unless each verdict was given often.
          for (Algorithm algorithm : Algorithm.values()) {
            for (Verdict verdict : Verdict.values()) {
              assertThat(verdicts.get(algorithm))
                  .as("%s %s", algorithm, verdicts)
                  .hasEntrySatisfying(
                      verdict, count -> assertThat(count).isGreaterThan(operations / 500));
            }
          }
        });
  }

  private long round(SplittableRandom random, ScriptCalls script) throws Exception {
    List<Timeline> timelines = new ArrayList<>();
    for (int i = 0; i < TIMELINES; i++) {
      timelines.add(new Timeline(random.split()));
    }
    long made = 0;
    for (int i = 0; i < CALLS_EACH; i++) {
      List<Timeline.Call> calls = new ArrayList<>();
      timelines.forEach(timeline -> calls.add(timeline.next()));
      script.make(calls);
      for (int j = 0; j < TIMELINES; j++) {
        timelines.get(j).compare(calls.get(j));
        made += calls.get(j).requests().size();
        calls.get(j).requests().forEach(this::count);
      }
    }
    return made;
  }

  private void count(PendingRequest request) {
    for (int i = 0; i < request.claims.size(); i++) {
      Claim claim = request.claims.get(i);
      Verdict verdict = request.join().each().get(i).verdict();
      verdicts
          .computeIfAbsent(claim.limit().algorithm(), absent -> new EnumMap<>(Verdict.class))
          .merge(verdict, 1L, Long::sum);
    }
  }
}
