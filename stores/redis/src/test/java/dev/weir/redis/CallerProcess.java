package dev.weir.redis;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.async.Continuations;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.Effort;
import dev.weir.time.CalendarWindow;
import dev.weir.time.Ticker;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * The main class of a process in which sixteen callers share a store.
 *
 * <p>It prints {@code ready}, waits for a line, and when its callers are done prints how many
 * requests they made, how many were admitted, and when the first was denied and the last made, on
 * the clock that all processes of a machine share. A request that fails ends the process.
 */
final class CallerProcess {
  static final LimitKey KEY = new LimitKey(42, 42);
  static final int PERMITS = 10_000;
  static final int RATE = 1_000;
  static final int BURST = 500;
  private static final int CALLERS = 16;
  private static final int WARM_UP_REQUESTS = 2_000;
  private static final Duration RUN = Duration.ofSeconds(Effort.of(2, 6));

  private CallerProcess() {}

  /** The limit that the callers of all processes share, and when each caller stops. */
  enum Task {
    /** A fixed window, until it denies. */
    WINDOW,
    /** A calendar day, until it denies. */
    DAY,
    /** A token bucket, for some seconds. */
    BUCKET;

    Limit limit(ZoneId zone) {
      return switch (this) {
        case WINDOW -> Limit.fixedWindow(PERMITS, Duration.ofDays(3_650));
        case DAY -> Limit.fixedWindow(PERMITS, CalendarWindow.of(CalendarWindow.Unit.DAY, zone));
        case BUCKET -> Limit.tokenBucket(RATE, Duration.ofSeconds(1), BURST);
      };
    }
  }

  /** Arguments: URL, task, zone, skew of the clock in microseconds. */
  public static void main(String[] arguments) throws Exception {
    RedisSettings settings = RedisSettings.parse(arguments[0]);
    Task task = Task.valueOf(arguments[1]);
    Limit limit = task.limit(ZoneId.of(arguments[2]));
    long skewMicros = Long.parseLong(arguments[3]);
    Ticker skewed = () -> Ticker.system().micros() + skewMicros;
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try (RedisStore store =
        RedisStore.connect(settings, RedisDriver.own(), null, skewed, Continuations.DIRECT)) {
      for (int i = 0; i < WARM_UP_REQUESTS; i++) {
        store.peek(List.of(Claim.of(limit, KEY, 1))).join();
      }
      System.out.println("ready");
      in.readLine();
      long end = System.nanoTime() + RUN.toNanos();
      List<Future<Calls>> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        callers.add(threads.submit(() -> call(store, task, limit, end)));
      }
      Calls all = callers.get(0).get();
      for (Future<Calls> caller : callers.subList(1, CALLERS)) {
        all = all.and(caller.get());
      }
      System.out.println(all);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Calls call(RedisStore store, Task task, Limit limit, long endNanos) {
    long made = 0;
    long admitted = 0;
    long denied = Long.MAX_VALUE;
    long last = 0;
    boolean running = true;
    while (running) {
      last = System.nanoTime();
      Decision decision = store.take(Claim.of(limit, KEY, 1)).join();
      denied = decision.allowed() ? denied : Math.min(denied, System.nanoTime());
      made++;
      admitted += decision.allowed() ? 1 : 0;
      running = task == Task.BUCKET ? System.nanoTime() < endNanos : decision.allowed();
    }
    return new Calls(made, admitted, denied, last);
  }

  /** The results of callers: counts, the time of the first denial and of the last request. */
  record Calls(long made, long admitted, long deniedNanos, long lastNanos) {
    static Calls parse(String text) {
      long[] numbers = Stream.of(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
      return new Calls(numbers[0], numbers[1], numbers[2], numbers[3]);
    }

    Calls and(Calls other) {
      return new Calls(
          made + other.made,
          admitted + other.admitted,
          Math.min(deniedNanos, other.deniedNanos),
          Math.max(lastNanos, other.lastNanos));
    }

    @Override
    public String toString() {
      return made + " " + admitted + " " + deniedNanos + " " + lastNanos;
    }
  }
}
