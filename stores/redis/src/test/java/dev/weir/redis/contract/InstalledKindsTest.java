package dev.weir.redis.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings.Kind;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.model.ReferenceModel;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each topology on the installed Redis; the contract tests cover the embedded one. */
@Timeout(300)
class InstalledKindsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final List<Limit> LIMITS =
      List.of(
          Limit.tokenBucket(3, SECOND, 5),
          Limit.leakyBucket(3, SECOND, 4),
          Limit.fixedWindow(4, SECOND),
          Limit.slidingLog(4, SECOND),
          Limit.slidingCounter(4, SECOND));

  @ParameterizedTest
  @EnumSource
  void decisionsEqualThoseOfTheReferenceModel(Kind kind) {
    ManualTicker ticker = new ManualTicker(1_800_000_000_000_000L);
    ReferenceModel model = new ReferenceModel();
    KeySpace keys = KeySpace.random();
    try (RunningRedis redis = RunningRedis.start(kind, Binaries.PATH.get());
        RedisStore store = RedisStore.connect(redis.settings(), ticker)) {
      Seeds.run(
          random -> {
            int denied = 0;
            for (int i = 0; i < 500; i++) {
              ticker.advanceMicros(random.nextLong(300_000));
              List<Claim> claims = claims(random, keys);
              Decision actual = store.take(claims).join();
              assertThat(actual).isEqualTo(model.take(claims, ticker.micros()));
              denied += actual.allowed() ? 0 : 1;
            }
            assertThat(denied).isBetween(50, 450);
          });
    }
  }

  private static List<Claim> claims(SplittableRandom random, KeySpace keys) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      int index = random.nextInt(LIMITS.size());
      claims.add(Claim.of(LIMITS.get(index), keys.key("caller " + index), 1 + random.nextInt(2)));
    }
    return claims;
  }
}
