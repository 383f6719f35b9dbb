package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.library.web.Admission;
import dev.weir.rule.FailureMode;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller that goes leaves nothing behind; whoever stays has what was granted. */
@Timeout(180)
class AdmitAsyncTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final WebRequest REQUEST = WebRequest.of("GET", "/").from("192.0.2.1");

  private static final RulesText RULES =
      RulesText.of(
          "rules.yaml",
          """
          lint-ignore: needs-release
          rules:
            - {name: busy, per: ip, concurrent: 1, expires: 1 hour}
            - {name: count, per: ip, limit: 10/hour, algorithm: fixed-window}
          """);

  private static Weir on(RedisServer redis) {
    return Weir.redis(redis.url()).deadline(Duration.ofSeconds(60)).build();
  }

  /** A limiter with seven left: a charge that is given back twice would leave more. */
  private static RulesLimiter limiter(Weir weir) {
    RulesLimiter limiter = weir.rules(RULES);
    for (int i = 0; i < 3; i++) {
      Await.until("charged", SOON, () -> isChargedAndClosed(limiter.admit(REQUEST)));
    }
    return limiter;
  }

  private static boolean isChargedAndClosed(Admission admission) {
    admission.close();
    return admission.allowed();
  }

  /** The permit is free, and seven are left. */
  private static boolean isUntouched(RulesLimiter limiter) {
    Admission probe = limiter.admit(REQUEST);
    if (!probe.allowed()) {
      return false;
    }
    long left = probe.decision().orElseThrow().each().get(1).remaining() + 1;
    probe.giveBack();
    assertThat(left).isLessThanOrEqualTo(7);
    return left == 7;
  }

  @Test
  void admissionInThisProcessIsThereAtOnce() {
    try (Weir weir = Weir.inMemory()) {
      RulesLimiter limiter = weir.rules(RULES);
      CompletableFuture<Admission> admitted = limiter.admitAsync(REQUEST);
      assertThat(admitted).isCompleted();
      assertThat(limiter.admit(REQUEST).allowed()).isFalse();
      admitted.join().close();
      assertThat(limiter.admit(REQUEST).allowed()).isTrue();
    }
  }

  @Test
  void cancellingBeforeTheGrantGivesItBackOnce() {
    try (RedisServer redis = RedisServer.start();
        Weir weir = on(redis)) {
      RulesLimiter limiter = limiter(weir);
      Await.until("ready", SOON, () -> isUntouched(limiter));
      redis.pause();
      CompletableFuture<Admission> gone = limiter.admitAsync(REQUEST);
      CompletableFuture<Admission> late = limiter.admitAsync(REQUEST);
      var unused = late.orTimeout(1, TimeUnit.MILLISECONDS);
      assertThat(gone.cancel(false)).isTrue();
      Await.until("timed out", SOON, late::isDone);
      redis.resume();
      Await.until("given back", SOON, () -> isUntouched(limiter));
      assertThatThrownBy(gone::join).isInstanceOf(CancellationException.class);
      Await.until("not given back twice", SOON, () -> isUntouched(limiter));
    }
  }

  @Test
  void cancellingAfterTheGrantIsTooLate() {
    try (RedisServer redis = RedisServer.start();
        Weir weir = on(redis)) {
      RulesLimiter limiter = limiter(weir);
      CompletableFuture<Admission> admitted = limiter.admitAsync(REQUEST);
      Admission admission = admitted.join();
      assertThat(admitted.cancel(false)).isFalse();
      assertThat(limiter.admit(REQUEST).allowed()).isFalse();
      admission.giveBack();
      admission.close();
      Await.until("given back", SOON, () -> isUntouched(limiter));
    }
  }

  /** Some cancel before their answer, some after it, some in the same moment. */
  @Test
  void nothingIsLostInARaceOfGrantsAndCancellations() {
    try (RedisServer redis = RedisServer.start();
        Weir weir = on(redis)) {
      RulesLimiter limiter = limiter(weir);
      for (int round = 0; round < 200; round++) {
        CompletableFuture<Admission> one = limiter.admitAsync(REQUEST);
        for (int spin = 0; spin < round * 20; spin++) {
          Thread.onSpinWait();
        }
        if (!one.cancel(false)) {
          one.join().giveBack();
        }
        if (round % 20 == 0) {
          Await.until("given back", SOON, () -> isUntouched(limiter));
        }
      }
      Await.until("given back", SOON, () -> isUntouched(limiter));
    }
  }

  @Test
  void storeThatDoesNotAnswerDeniesOnlyWhereTheRuleSaysSo() {
    RulesText modes =
        RulesText.of(
            "rules.yaml",
            """
            rules:
              - {name: deny, match: {path: /deny}, limit: 5/hour, when-store-fails: deny}
              - {name: allow, match: {path: /allow}, limit: 5/hour, when-store-fails: allow}
              - {name: local, match: {path: /local}, limit: 5/hour, when-store-fails: local}
            """);
    try (RedisServer redis = RedisServer.start();
        Weir weir = Weir.redis(redis.url()).deadline(Duration.ofMillis(200)).build()) {
      RulesLimiter limiter = weir.rules(modes);
      redis.kill();
      List<Admission> all = new ArrayList<>();
      for (String path : List.of("/deny", "/allow", "/local")) {
        all.add(limiter.admit(WebRequest.of("GET", path)));
        all.add(limiter.admitAsync(WebRequest.of("GET", path)).join());
      }
      assertThat(all)
          .extracting(Admission::allowed)
          .containsExactly(false, false, true, true, true, true);
      assertThat(all)
          .extracting(one -> one.degraded().orElseThrow())
          .containsExactly(
              FailureMode.DENY,
              FailureMode.DENY,
              FailureMode.ALLOW,
              FailureMode.ALLOW,
              FailureMode.LOCAL,
              FailureMode.LOCAL);
      all.forEach(Admission::close);
    }
  }

  @Test
  void closedWeirAdmitsNobodyAndReleasesWhatIsHeld() {
    Weir weir = Weir.inMemory();
    RulesLimiter limiter = weir.rules(RULES);
    Admission held = limiter.admit(REQUEST);
    weir.close();
    assertThatThrownBy(() -> limiter.admit(REQUEST)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> limiter.admitAsync(REQUEST)).isInstanceOf(IllegalStateException.class);
    held.close();
  }
}
