package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import dev.weir.Descriptor;
import dev.weir.http.HttpMeters.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When tokens are verified, on which thread, and how many that fail. */
class VerificationTest {
  private static final Descriptor.Names NAMES =
      Descriptor.Names.of(List.of("path", "jwt sub", "jwt plan"));
  private static final ECKey STRANGER = Tokens.ec("ec-1");
  private static final Duration REFILL = Duration.ofMillis(200);

  private final ManualClock clock = new ManualClock();

  /** What was handed to the threads for verification and did not run yet. */
  private final Deque<Runnable> waiting = new ArrayDeque<>();

  private int room = 1_000;
  private HttpReader reader;

  @SuppressWarnings("NullAway.Init")
  VerificationTest() {}

  @BeforeEach
  void read(@TempDir Path folder) throws IOException {
    Path jwks = Files.writeString(folder.resolve("jwks.json"), Tokens.jwks(Tokens.EC, Tokens.RSA));
    JwtSettings tokens = JwtSettings.of(JwtKeys.file(jwks));
    HttpSettings settings = Readers.trusting("10.0.0.0/8").withJwt(tokens);
    Verifications limits = Verifications.on(this::submit, clock);
    reader = HttpReader.within(limits, settings, NAMES, clock);
  }

  private void submit(Runnable work) {
    if (waiting.size() == room) {
      throw new RejectedExecutionException("full");
    }
    waiting.add(work);
  }

  @Test
  void aNewTokenIsNotVerifiedBeforeSomebodyAsksForItsClaims() {
    Reading reading = reader.open(from("192.0.2.1", honest("ann")));
    assertThat(reading.isUnverified()).isTrue();
    assertThat(reading.values().value("path")).isEqualTo("/");
    assertThat(reading.values().value("jwt sub")).isNull();
    assertThat(count(Event.JWT_CACHE_MISS)).isZero();
    assertThat(reading.verify().value("jwt sub")).isEqualTo("ann");
    assertThat(reading.verify().value("path")).isEqualTo("/");
    assertThat(count(Event.JWT_CACHE_MISS)).isOne();
    Reading without = reader.open(FakeRequest.get("/"));
    assertThat(without.isUnverified()).isFalse();
    assertThat(count(Event.JWT_MISSING)).isOne();
  }

  @Test
  void laterMeansOnTheThreadsForThatAndAKnownTokenNeedsNone() {
    String token = honest("ann");
    CompletableFuture<Descriptor> first = later("192.0.2.1", token);
    CompletableFuture<Descriptor> second = later("192.0.2.9", token);
    assertThat(first).isNotDone();
    assertThat(waiting).as("one verification for both").hasSize(1);
    assertThat(count(Event.JWT_CACHE_MISS)).isZero();
    runAll();
    assertThat(first.join().value("jwt sub")).isEqualTo("ann");
    assertThat(second.join().value("jwt sub")).isEqualTo("ann");
    assertThat(count(Event.JWT_CACHE_MISS)).isOne();
    Reading known = reader.open(from("192.0.2.1", token));
    assertThat(known.isUnverified()).isFalse();
    assertThat(known.values().value("jwt sub")).isEqualTo("ann");
    assertThat(known.verifyLater().toCompletableFuture().join()).isEqualTo(known.values());
    assertThat(waiting).isEmpty();
  }

  @Test
  void theSameForgedTokenIsVerifiedOnceWhileItsRefusalIsRemembered() {
    String token = forged();
    for (int i = 0; i < 50; i++) {
      var unused = later("192.0.2.1", token);
    }
    runAll();
    assertThat(sub("192.0.2.1", token)).isNull();
    assertThat(count(Event.JWT_CACHE_MISS)).isOne();
    assertThat(count(Event.JWT_BAD_SIGNATURE)).as("counted for each request").isEqualTo(51);
    clock.pass(Duration.ofSeconds(10));
    assertThat(sub("192.0.2.1", token)).isNull();
    assertThat(count(Event.JWT_CACHE_MISS)).isEqualTo(2);
  }

  @Test
  void aTokenThatFindsNoRoomAmongThoseThatWaitIsOfNoUseAndNotRemembered() {
    room = 2;
    var unused = List.of(later("192.0.2.1", honest("a")), later("192.0.2.2", honest("b")));
    String token = honest("ann");
    Descriptor refused = later("192.0.2.3", token).join();
    assertThat(Descriptor.isUnusable(refused.value("jwt sub"))).isTrue();
    assertThat(refused.value("path")).isEqualTo("/");
    assertThat(count(Event.JWT_QUEUE_FULL)).isOne();
    runAll();
    assertThat(later("192.0.2.3", token)).as("asked for again").isNotDone();
    assertThat(waiting).hasSize(1);
  }

  @Test
  void forgedTokensBeyondTheBudgetOfAnAddressAreNotVerifiedAndGainNothing() {
    for (int i = 0; i < 100; i++) {
      CompletableFuture<Descriptor> reading = later("192.0.2.1", forged());
      runAll();
      Descriptor read = reading.join();
      assertThat(read.value("jwt sub")).isEqualTo(i < 20 ? null : Descriptor.UNUSABLE);
    }
    assertThat(count(Event.JWT_CACHE_MISS)).isEqualTo(20);
    assertThat(count(Event.JWT_BAD_SIGNATURE)).isEqualTo(20);
    assertThat(count(Event.JWT_OVER_BUDGET)).isEqualTo(80);
    assertThat(Descriptor.isUnusable(sub("192.0.2.1", honest("mallory"))))
        .as("who used the budget up cannot pass for somebody without a token")
        .isTrue();
    assertThat(sub("192.0.2.2", honest("bob"))).as("another address").isEqualTo("bob");
    clock.pass(REFILL);
    assertThat(sub("192.0.2.1", honest("ann"))).as("5 a second").isEqualTo("ann");
    assertThat(sub("192.0.2.1", honest("eve"))).as("honest ones use nothing up").isEqualTo("eve");
    assertThat(sub("192.0.2.1", forged())).isNull();
    assertThat(Descriptor.isUnusable(sub("192.0.2.1", forged()))).isTrue();
  }

  @Test
  void tokensInFlightTogetherDoNotExceedTheBudgetEither() {
    for (int i = 0; i < 16; i++) {
      sub("192.0.2.1", forged());
    }
    for (int i = 0; i < 8; i++) {
      var unused = later("192.0.2.1", forged());
    }
    assertThat(waiting).hasSize(8);
    runAll();
    assertThat(count(Event.JWT_CACHE_MISS)).isEqualTo(20);
    assertThat(count(Event.JWT_OVER_BUDGET)).isEqualTo(4);
  }

  @Test
  void noAddressTakesUpTheRoomOfOthers() {
    String known = honest("ann");
    assertThat(sub("192.0.2.1", known)).isEqualTo("ann");
    clock.pass(Duration.ofMinutes(6)); // it has to be verified again
    List<CompletableFuture<Descriptor>> tokens = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      tokens.add(later("192.0.2.1", i % 2 == 0 ? honest("user-" + i) : forged()));
    }
    assertThat(waiting).hasSize(WaitingShares.OF_CLIENT);
    assertThat(count(Event.JWT_QUEUE_FULL)).isEqualTo(92);
    assertThat(tokens.get(99).getNow(null))
        .isNotNull()
        .satisfies(read -> assertThat(read.value("jwt sub")).isSameAs(Descriptor.UNUSABLE));
    CompletableFuture<Descriptor> again = later("192.0.2.1", known);
    CompletableFuture<Descriptor> neighbour = later("192.0.2.2", honest("bob"));
    runAll();
    assertThat(again.join().value("jwt sub")).as("believed before").isEqualTo("ann");
    assertThat(neighbour.join().value("jwt sub")).isEqualTo("bob");
    assertThat(tokens.get(0).join().value("jwt sub")).isEqualTo("user-0");
    assertThat(later("192.0.2.1", honest("eve"))).as("there is room again").isNotDone();
    runAll();
    assertThat(reader.verifications().shares().size()).as("addresses remembered").isZero();
  }

  @Test
  void whatWaitedTooLongIsNotVerifiedAndNotRemembered() {
    String token = honest("ann");
    CompletableFuture<Descriptor> late = later("192.0.2.1", token);
    clock.pass(Verifications.MAX_WAIT);
    CompletableFuture<Descriptor> inTime = later("192.0.2.2", honest("bob"));
    clock.pass(Duration.ofMillis(1));
    runAll();
    assertThat(Descriptor.isUnusable(late.join().value("jwt sub"))).isTrue();
    assertThat(count(Event.JWT_QUEUE_FULL)).isOne();
    assertThat(inTime.join().value("jwt sub")).isEqualTo("bob");
    assertThat(count(Event.JWT_CACHE_MISS)).as("signatures verified").isOne();
    CompletableFuture<Descriptor> again = later("192.0.2.1", token);
    runAll();
    assertThat(again.join().value("jwt sub")).isEqualTo("ann");
    assertThat(reader.verifications().shares().size()).isZero();
  }

  @Test
  void spellingsOfAGenuineTokenAreNotVerified() {
    String token = honest("ann");
    int dot = token.lastIndexOf('.') + 1;
    for (int i = 1; i <= 300; i++) {
      String respelled =
          switch (i % 5) {
            case 0 -> token + "!".repeat(i);
            case 1 -> token + "=".repeat(i);
            case 2 -> token.substring(0, dot) + " ".repeat(i) + token.substring(dot);
            case 3 -> token + (char) (0x80 + i);
            default -> token.substring(0, dot + 9) + "\t".repeat(i) + token.substring(dot + 9);
          };
      CompletableFuture<Descriptor> read = later("192.0.2.1", respelled);
      runAll();
      assertThat(read.join().value("jwt sub")).as(respelled).isSameAs(Descriptor.UNUSABLE);
    }
    assertThat(count(Event.JWT_CACHE_MISS)).isZero();
    assertThat(count(Event.JWT_MALFORMED)).isEqualTo(300);
    assertThat(sub("192.0.2.1", token)).isEqualTo("ann");
  }

  @Test
  void aTokenCostsAsMuchOfTheBudgetAsKeysHadToBeTried(@TempDir Path folder) throws Exception {
    ECKey[] keys = new ECKey[10];
    Arrays.setAll(keys, i -> Tokens.ec("ec-" + i));
    Path jwks = Files.writeString(folder.resolve("many.json"), Tokens.jwks(keys));
    JwtSettings tokens = JwtSettings.of(JwtKeys.file(jwks));
    reader = reader.with(reader.settings().withJwt(tokens), NAMES);
    for (int i = 0; i < 30; i++) {
      assertThat(sub("192.0.2.1", unnamed(keys[9], "user-" + i))).isEqualTo("user-" + i);
    }
    for (int i = 0; i < 4; i++) {
      sub("192.0.2.1", unnamed(STRANGER, "root"));
    }
    assertThat(count(Event.JWT_BAD_SIGNATURE)).as("of the budget of 20").isEqualTo(2);
    assertThat(count(Event.JWT_OVER_BUDGET)).isEqualTo(2);
  }

  /** A token that does not say by which key it was signed. */
  private static String unnamed(ECKey key, String subject) throws JOSEException {
    JWSHeader header = new JWSHeader(JWSAlgorithm.ES256);
    return Tokens.sign(new ECDSASigner(key), header, Tokens.ann().subject(subject).build());
  }

  @Test
  void aTokenBelievedBeforeIsVerifiedAgainWhateverItsNeighboursForge() {
    String token = honest("ann");
    assertThat(sub("192.0.2.1", token)).isEqualTo("ann");
    clock.pass(Duration.ofMinutes(6));
    for (int i = 0; i < 21; i++) {
      sub("192.0.2.1", forged());
    }
    assertThat(count(Event.JWT_OVER_BUDGET)).isOne();
    assertThat(sub("192.0.2.1", token)).isEqualTo("ann");
    assertThat(count(Event.JWT_CACHE_MISS)).isEqualTo(22);
  }

  @Test
  void goodTokensCostNoBudgetHoweverMany() {
    for (int i = 0; i < 100; i++) {
      assertThat(sub("192.0.2.1", honest("user-" + i))).isEqualTo("user-" + i);
    }
    assertThat(count(Event.JWT_OVER_BUDGET)).isZero();
  }

  @Test
  void lateTokensCostAsMuchAsForgedOnes() {
    clock.pass(Duration.ofHours(2));
    for (int i = 0; i < 100; i++) {
      sub("192.0.2.1", honest("late-" + i));
    }
    assertThat(count(Event.JWT_EXPIRED)).isEqualTo(20);
    assertThat(count(Event.JWT_OVER_BUDGET)).isEqualTo(80);
  }

  @Test
  void behindAGatewayThatNobodyIsToldToTrustOneForgerDoesNotUseUpTheBudgetOfAll() {
    HttpSettings settings = HttpSettings.DEFAULT.withJwt(reader.settings().jwt());
    reader = reader.with(settings, NAMES);
    for (int i = 0; i < 50; i++) {
      assertThat(sub("192.0.2.1", forged())).isNull();
    }
    assertThat(sub("192.0.2.1", honest("ann"))).isEqualTo("ann");
  }

  @Test
  void budgetsOutliveAChangeOfTheRules() {
    for (int i = 0; i < 20; i++) {
      sub("192.0.2.1", forged());
    }
    JwtSettings others = JwtSettings.of(JwtKeys.secret(Tokens.SECRET));
    reader = reader.with(reader.settings().withJwt(others), NAMES);
    assertThat(Descriptor.isUnusable(sub("192.0.2.1", forged()))).isTrue();
  }

  @Test
  void signaturesAreVerifiedByDaemonThreadsAndNeverByTheOneThatAsks() throws Exception {
    List<Thread> verifying = new CopyOnWriteArrayList<>();
    Key key = Tokens.EC.toECPublicKey();
    KeySet watched =
        header -> {
          verifying.add(Thread.currentThread());
          return List.of(key);
        };
    JwtReader tokens =
        new JwtReader(
            Objects.requireNonNull(reader.settings().jwt()),
            () -> watched,
            List.of("sub"),
            clock,
            new HttpMeters(),
            Verifications.by(clock));
    for (int i = 0; i < 20; i++) {
      String token = i % 2 == 0 ? honest("ann") : forged();
      FailureBudget.Account account = new FailureBudget(clock).of("192.0.2.1", false);
      assertThat(tokens.known(token)).isNull();
      var unused = tokens.verifyLater(token, account).toCompletableFuture().join();
    }
    assertThat(verifying).hasSize(20).doesNotContain(Thread.currentThread());
    assertThat(verifying).allMatch(one -> one.isDaemon() && one.getName().equals("weir-jwt"));
  }

  @Test
  void aWarmUpVerifiesByEachKeyThatFitsAndLeavesNoTrace() {
    List<String> asked = new CopyOnWriteArrayList<>();
    KeySet watched =
        header -> {
          asked.add(header.getAlgorithm().getName());
          return List.of();
        };
    HttpMeters meters = new HttpMeters();
    JwtSettings settings = Objects.requireNonNull(reader.settings().jwt());
    Verifications limits = Verifications.on(this::submit, clock);
    new JwtReader(settings, () -> watched, List.of("sub"), clock, meters, limits).warmUp();
    assertThat(asked).containsAll(settings.algorithms());
    assertThat(meters.counts().values()).containsOnly(0L);
    assertThat(waiting).isEmpty();
  }

  @Test
  void onlySoManyVerificationsWait() {
    Executor threads = Verifications.by(clock).threads();
    CountDownLatch held = new CountDownLatch(1);
    AtomicInteger accepted = new AtomicInteger();
    assertThatThrownBy(
            () -> {
              while (accepted.get() < 10_000) {
                threads.execute(() -> await(held));
                accepted.incrementAndGet();
              }
            })
        .isInstanceOf(RejectedExecutionException.class);
    held.countDown();
    assertThat(accepted.get()).isBetween(Verifications.MAX_WAITING, Verifications.MAX_WAITING + 4);
  }

  @Test
  void addressesThatForgeAreForgottenAndBounded() {
    FailureBudget budget = new FailureBudget(clock);
    int refused = 0;
    for (int i = 0; i < FailureBudget.MAX_ADDRESSES + 1_000; i++) {
      refused += budget.of("address " + i, false).tryTake() ? 0 : 1;
    }
    assertThat(refused).as("those without room share one budget").isBetween(980, 1_000);
    clock.pass(Duration.ofSeconds(5));
    assertThat(budget.of("another", false).tryTake()).isTrue();
    FailureBudget.Account nobody = budget.of(null, false);
    for (int i = 0; i < 20; i++) {
      assertThat(nobody.tryTake()).isTrue();
    }
    assertThat(nobody.isSpent()).isTrue();
    assertThat(budget.of("another", false).isSpent()).isFalse();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void runAll() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  private CompletableFuture<Descriptor> later(String client, String token) {
    return reader.open(from(client, token)).verifyLater().toCompletableFuture();
  }

  private @Nullable String sub(String client, String token) {
    return reader.read(from(client, token)).value("jwt sub");
  }

  private long count(Event event) {
    return reader.meters().of(event);
  }

  private static FakeRequest from(String client, String token) {
    return FakeRequest.from("10.0.0.1").header("X-Forwarded-For", client).bearer(token);
  }

  private static String honest(String subject) {
    return Tokens.sign(Tokens.EC, JWSAlgorithm.ES256, Tokens.ann().subject(subject).build());
  }

  /** Signed with another key under the same name; never the same twice. */
  private static String forged() {
    return Tokens.sign(STRANGER, JWSAlgorithm.ES256, Tokens.ann().subject("root").build());
  }
}
