package dev.weir.redis;

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
 * The algorithms are written twice, in Java and in the script; here they give the same answers, in
 * every field: a hundred thousand times in every build, a million in a thorough one. {@code
 * -Dweir.operations} asks for more.
 */
class ScriptDifferentialTest {
  private static final int OPERATIONS = Effort.of("weir.operations", 100_000, 1_000_000);
  private static final int TIMELINES = 200;
  private static final int CALLS_EACH = 60;

  private final Map<Algorithm, Map<Verdict, Long>> given = new EnumMap<>(Algorithm.class);

  @ParameterizedTest
  @EnumSource
  void randomOperationsDifferNowhere(Binaries binary) {
    // The larger part where it is never skipped.
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
                "%,d operations, %,d with a stale calendar, %,d calls only to take, %,d"
                    + " of them in vain, 0 differences; claims: %s%n",
                made, script.stale(), script.plain(), script.turnedAway(), given);
            assertThat(script.stale()).isGreaterThan(made / 1_000);
            assertThat(script.plain()).isGreaterThan(made / 50);
            assertThat(script.turnedAway()).isGreaterThan(made / 4_000);
          }
          // Equal answers prove little unless all of them were given often.
          for (Algorithm algorithm : Algorithm.values()) {
            for (Verdict verdict : Verdict.values()) {
              assertThat(given.get(algorithm))
                  .as("%s %s", algorithm, given)
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

  private void count(Pending request) {
    for (int i = 0; i < request.claims.size(); i++) {
      Claim claim = request.claims.get(i);
      Verdict verdict = request.join().each().get(i).verdict();
      given
          .computeIfAbsent(claim.limit().algorithm(), absent -> new EnumMap<>(Verdict.class))
          .merge(verdict, 1L, Long::sum);
    }
  }
}
