package dev.weir.http.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.ECKey;
import dev.weir.http.HttpMeters;
import dev.weir.http.ManualClock;
import dev.weir.http.Tokens;
import java.net.URI;
import java.security.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The threads and limits of verification. */
class JwtReaderTest {
  private static final JwtSettings SETTINGS =
      JwtSettings.of(JwtKeys.url(URI.create("https://id.example/jwks")));

  private final ManualClock clock = new ManualClock();

  @Test
  void signaturesAreVerifiedOnDaemonThreadsNeverOnTheCallingThread() throws Exception {
    List<Thread> verifying = new CopyOnWriteArrayList<>();
    Key key = Tokens.EC.toECPublicKey();
    KeySet recording =
        header -> {
          verifying.add(Thread.currentThread());
          return List.of(key);
        };
    JwtReader tokens =
        new JwtReader(
            SETTINGS,
            () -> recording,
            List.of("sub"),
            clock,
            new HttpMeters(),
            VerificationPool.create(clock));
    ECKey forger = Tokens.ec("ec-1");
    for (int i = 0; i < 20; i++) {
      ECKey signer = i % 2 == 0 ? Tokens.EC : forger;
      String token = Tokens.sign(signer, JWSAlgorithm.ES256, Tokens.ann().build());
      assertThat(tokens.lookUp(token)).isNull();
      var unused = tokens.verifyAsync(token, "192.0.2.1", false).toCompletableFuture().join();
    }
    assertThat(verifying).hasSize(20).doesNotContain(Thread.currentThread());
    assertThat(verifying).allMatch(one -> one.isDaemon() && one.getName().equals("weir-jwt"));
  }

  @Test
  void warmUpTriesEachAlgorithmAndLeavesNoTrace() {
    List<String> tried = new CopyOnWriteArrayList<>();
    KeySet recording =
        header -> {
          tried.add(header.getAlgorithm().getName());
          return List.of();
        };
    HttpMeters meters = new HttpMeters();
    List<Runnable> queue = new ArrayList<>();
    VerificationPool pool = VerificationPool.on(queue::add, clock);
    new JwtReader(SETTINGS, () -> recording, List.of("sub"), clock, meters, pool).warmUp();
    assertThat(tried).containsAll(SETTINGS.algorithms());
    assertThat(meters.counts().values()).containsOnly(0L);
    assertThat(queue).isEmpty();
  }

  @Test
  void queueOfVerificationsIsBounded() {
    Executor executor = VerificationPool.create(clock).executor();
    CountDownLatch held = new CountDownLatch(1);
    AtomicInteger accepted = new AtomicInteger();
    assertThatThrownBy(
            () -> {
              while (accepted.get() < 10_000) {
                executor.execute(() -> await(held));
                accepted.incrementAndGet();
              }
            })
        .isInstanceOf(RejectedExecutionException.class);
    held.countDown();
    assertThat(accepted.get())
        .isBetween(VerificationPool.MAX_WAITING, VerificationPool.MAX_WAITING + 4);
  }

  @Test
  void failureBudgetForgetsAddressesAndBoundsTheirNumber() {
    FailureBudget budget = new FailureBudget(clock);
    int denied = 0;
    for (int i = 0; i < FailureBudget.MAX_ADDRESSES + 1_000; i++) {
      denied += budget.account("address " + i, false).tryCharge() ? 0 : 1;
    }
    assertThat(denied).as("addresses beyond the maximum share one budget").isBetween(980, 1_000);
    clock.pass(Duration.ofSeconds(5));
    assertThat(budget.account("another", false).tryCharge()).isTrue();
    FailureBudget.Account withoutAddress = budget.account(null, false);
    for (int i = 0; i < 20; i++) {
      assertThat(withoutAddress.tryCharge()).isTrue();
    }
    assertThat(withoutAddress.isExhausted()).isTrue();
    assertThat(budget.account("another", false).isExhausted()).isFalse();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
