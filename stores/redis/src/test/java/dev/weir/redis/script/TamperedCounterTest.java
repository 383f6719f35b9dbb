package dev.weir.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.redis.RedisStore;
import dev.weir.redis.batch.PendingRequest;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespConnection;
import dev.weir.testkit.time.ManualTicker;
import dev.weir.time.CalendarWindow;
import dev.weir.time.CalendarWindow.Unit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Any value under the key of a counter leads to a decision: never to an error, an impossible time
 * or a permanent denial.
 */
@Timeout(300)
class TamperedCounterTest {
  private static final List<Operation> OPERATIONS = List.of(Operation.values());

  private static final int CASES = Effort.of(2_000, 50_000);
  private static final long NOW_MICROS = 1_800_000_000_000_000L;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Replacements for the numbers of a counter. */
  private static final double[] UNUSUAL = {
    0x1p53,
    0x1p53 - 1,
    0x1p52,
    0x1p51,
    0x1p31,
    0x1p54,
    1e300,
    -1,
    -0x1p53,
    0.5,
    -0.0,
    0,
    1,
    5,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    NOW_MICROS,
    NOW_MICROS - 1,
    NOW_MICROS + 1e6,
    NOW_MICROS + 1e12,
    NOW_MICROS / 1e6,
    NOW_MICROS / 1e3
  };

  private static final List<Limit> LIMITS =
      List.of(
          Limit.tokenBucket(5, MINUTE),
          Limit.tokenBucket(1_000_000, Duration.ofSeconds(1), Limit.MAX_CAPACITY_UNITS),
          Limit.tokenBucket(1, Limit.MAX_WINDOW, 9), // counted in seconds
          Limit.tokenBucket(7, Duration.ofSeconds(3), 1L << 30),
          Limit.leakyBucket(5, MINUTE, 4),
          Limit.fixedWindow(5, MINUTE),
          Limit.fixedWindow(Limit.MAX_CAPACITY_UNITS, Limit.MAX_WINDOW),
          Limit.fixedWindow(5, CalendarWindow.of(Unit.MONTH, ZoneOffset.UTC)),
          Limit.slidingLog(5, MINUTE),
          Limit.slidingLog(Limit.MAX_LOG_PERMITS, MINUTE),
          Limit.slidingCounter(5, MINUTE),
          Limit.slidingCounter(Limit.MAX_COUNTER_PERMITS, Duration.ofSeconds(1)),
          Limit.slidingCounter(9, Limit.MAX_WINDOW),
          Limit.concurrent(5, MINUTE),
          Limit.concurrent(Limit.MAX_CONCURRENT, MINUTE));

  private final RedisServer redis = RedisServer.start(Binaries.EMBEDDED.get());
  private final ManualTicker ticker = new ManualTicker(NOW_MICROS);
  private final RedisStore store =
      RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=5s"), ticker);
  private final RespConnection connection = redis.connect();

  @AfterEach
  void stop() {
    connection.close();
    store.close();
    redis.close();
  }

  @Test
  void tamperedCountersLeadToPlausibleDecisions() {
    Seeds.run(
        random -> {
          for (int i = 0; i < CASES; i++) {
            Limit limit = LIMITS.get(random.nextInt(LIMITS.size()));
            assertPlausibleDecisions(
                random, limit, tampered(random, state(limit, random.nextInt(1, 4))));
          }
        });
  }

  @Test
  void excessiveLevelIsCappedAtTheMaximumDebt() {
    Limit limit = Limit.tokenBucket(5, MINUTE);
    String fresh = state(limit, 1);
    String head = fresh.substring(0, fresh.length() - 16);
    put(limit, head + ForeignValues.packed(NOW_MICROS) + ForeignValues.packed(0x1p53));
    Decision denied = store.take(claim(limit, 1)).join();
    assertThat(denied.debt()).isEqualTo(5 * Limit.MAX_DEBT_WINDOWS);
    assertThat(denied.retryAfter()).contains(MINUTE.multipliedBy(4).plusSeconds(12));
    ticker.advance(denied.retryAfter().orElseThrow());
    assertThat(store.take(claim(limit, 1)).join().allowed()).isTrue();
  }

  @Test
  void logLongerThanAnyLimitIsAsIfNeverUsed() {
    for (Limit limit : List.of(Limit.slidingLog(5, MINUTE), Limit.concurrent(5, MINUTE))) {
      String fresh = state(limit, 1);
      int width = limit.algorithm() == Algorithm.SLIDING_LOG ? 16 : 24;
      String entry = fresh.substring(fresh.length() - width);
      put(limit, fresh + entry.repeat(10_000));
      Decision decision = store.take(claim(limit, 2)).join();
      assertThat(decision.remaining()).isEqualTo(3);
      assertThat(redis.number("STRLEN", name(limit))).isLessThan(200);
    }
  }

  @Test
  void scriptHasTheBoundsOfLimit() throws IOException {
    String script;
    try (InputStream in = Script.class.getResourceAsStream("claims.lua")) {
      script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(script)
        .contains(
            "MAX_GRANTS, MAX_HOLDERS, DEBT_WINDOWS = "
                + Limit.MAX_LOG_PERMITS
                + ", "
                + Limit.MAX_CONCURRENT
                + ", "
                + Limit.MAX_DEBT_WINDOWS
                + "\n")
        .contains("MAX_WINDOW = " + Limit.MAX_WINDOW.toDays() + " * 86400 * 1000000\n")
        .contains("CENTURY = " + Limit.MAX_REFILL.toDays() + " * 86400 * 1000000\n");
  }

  /** Checks operations on a value, alone and batched, now and after the longest possible wait. */
  private void assertPlausibleDecisions(SplittableRandom random, Limit limit, String value) {
    String shown = limit + " " + HexFormat.of().formatHex(bytes(value));
    long cost = random.nextBoolean() ? 1 : 1 + random.nextLong(limit.capacity());
    put(limit, value);
    List<PendingRequest> pending = new ArrayList<>();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      pending.add((PendingRequest) store.take(List.of(claim(limit, cost))));
    }
    Operation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
    pending.add((PendingRequest) store.apply(operation, List.of(claim(limit, cost))));
    for (PendingRequest request : pending) {
      assertPlausible(limit, request.join(), shown);
    }
    put(limit, value);
    assertPlausible(
        limit, store.take(List.of(claim(limit, 1), other(limit))).join().each().get(0), shown);
    if (value.startsWith(head(limit))) { // a value of another limit may take as long as that one
      put(limit, value);
      boolean allowed = store.take(claim(limit, 1)).join().allowed();
      ticker.advance(longest(limit));
      assertThat(allowed || store.take(claim(limit, 1)).join().allowed()).as(shown).isTrue();
      ticker.setMicros(NOW_MICROS);
    }
  }

  private static void assertPlausible(Limit limit, Decision decision, String shown) {
    Duration longest = longest(limit);
    assertThat(decision.remaining()).as(shown).isBetween(0L, limit.capacity());
    assertThat(decision.debt()).as(shown).isBetween(0L, Limit.MAX_LEVEL_UNITS);
    assertThat(decision.resetAfter()).as(shown).isBetween(Duration.ZERO, longest);
    assertThat(decision.delay()).as(shown).isBetween(Duration.ZERO, longest);
    decision
        .retryAfter()
        .ifPresent(wait -> assertThat(wait).as(shown).isBetween(Duration.ZERO, longest));
    assertThat(decision.resetAfter().toNanos()).as(shown).isNotNegative();
  }

  /** The longest time that a counter of the limit can be ahead of the clock and then remember. */
  private static Duration longest(Limit limit) {
    long ticks = limit.maxAheadTicks() + limit.windowTicks() * 2;
    if (limit.algorithm() == Algorithm.TOKEN_BUCKET
        || limit.algorithm() == Algorithm.LEAKY_BUCKET) {
      ticks += limit.longestDrainTicks();
    }
    Duration longest =
        Duration.ofSeconds(ticks / 1_000_000 * limit.tickMicros())
            .plusNanos(ticks % 1_000_000 * limit.tickMicros() * 1_000);
    // Holders keep their expiry when the limit changes.
    return limit.algorithm() == Algorithm.CONCURRENCY
        ? Limit.MAX_WINDOW.multipliedBy(2).plus(longest)
        : longest;
  }

  /** The value that the scripts write. */
  private String state(Limit limit, int takes) {
    connection.command("DEL", name(limit));
    for (int i = 0; i < takes; i++) {
      var unused = store.take(claim(limit, 1 + i % 2)).join();
    }
    return redis.text("GET", name(limit));
  }

  private static String tampered(SplittableRandom random, String state) {
    StringBuilder value = new StringBuilder(state);
    for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
      int length = value.length();
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          // The numbers are at the end, eight bytes each.
          int from = length - 8 * random.nextInt(1, Math.max(2, length / 8));
          if (from >= 0) {
            value.replace(
                from, from + 8, ForeignValues.packed(UNUSUAL[random.nextInt(UNUSUAL.length)]));
          }
        }
        case 3 -> value.setLength(random.nextInt(length + 1));
        case 4 -> {
          if (length > 0) {
            value.setCharAt(random.nextInt(length), (char) random.nextInt(256));
          }
        }
        default -> {
          byte[] more = new byte[8 * random.nextInt(1, 9)];
          random.nextBytes(more);
          value.append(new String(more, StandardCharsets.ISO_8859_1));
        }
      }
    }
    return value.toString();
  }

  private void put(Limit limit, String value) {
    connection.command("SET", name(limit), value);
  }

  private static byte[] bytes(String value) {
    return value.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static LimitKey key(Limit limit) {
    return new LimitKey(1, LIMITS.indexOf(limit));
  }

  private static String name(Limit limit) {
    return new String(new RedisKeys("w:").name(key(limit)), StandardCharsets.ISO_8859_1);
  }

  private static String head(Limit limit) {
    return new String(new RedisKeys("w:").head(limit), StandardCharsets.ISO_8859_1);
  }

  private static Claim claim(Limit limit, long cost) {
    long holder = limit.algorithm() == Algorithm.CONCURRENCY ? 7 + cost % 3 : 0;
    return new Claim(limit, key(limit), cost, holder);
  }

  /** A second claim, which makes the request too complex for {@code takes.lua}. */
  private static Claim other(Limit limit) {
    long holder = limit.algorithm() == Algorithm.CONCURRENCY ? 7 : 0;
    return new Claim(limit, new LimitKey(1, -1 - LIMITS.indexOf(limit)), 1, holder);
  }
}
