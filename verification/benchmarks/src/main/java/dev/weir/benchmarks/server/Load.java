package dev.weir.benchmarks.server;

import dev.weir.benchmarks.harness.Workers;
import dev.weir.benchmarks.harness.Workers.Launch;
import dev.weir.load.LoadGenerator;
import dev.weir.load.LoadGenerator.Bounds;
import dev.weir.load.Target;
import dev.weir.load.arrival.ClosedLoop;
import dev.weir.load.arrival.OpenLoop;
import dev.weir.load.arrival.Pace;
import dev.weir.load.measure.Latency;
import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Outcome;
import dev.weir.load.traffic.Callers;
import dev.weir.load.traffic.Mix;
import dev.weir.load.traffic.Request;
import dev.weir.load.traffic.RequestSpec;
import dev.weir.load.traffic.Traffic;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Loads a server from a process of its own, with the generator of {@code weir load}. */
public final class Load {
  /** The header with the API key. */
  public static final String KEY_HEADER = "X-API-Key";

  private static final String PATH = "/api/rides/17";

  private static final int CALLERS = 1_000;
  private static final int MAX_IN_FLIGHT = 2_048;

  /** As many as a few pools of clients have. A request that finds none waits, and that counts. */
  private static final int MAX_CONNECTIONS = 256;

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Opens the connections before the measurement. */
  private static final Duration RAMP = Duration.ofMillis(200);

  /** Epoll, whose timers are exact to microseconds; only the generator has it. */
  private static final String EPOLL = "verification/benchmarks/target/epoll/*";

  private Load() {}

  /** What is asked for at a server of this machine. */
  public static String url(int port) {
    return "http://127.0.0.1:" + port + PATH;
  }

  /** How to start the process. */
  public static Launch launch() {
    return new Launch(Cores.forOthers(), File.pathSeparator + EPOLL);
  }

  /**
   * For each task {@code port users perSecond millis}, prints requests per second, microseconds at
   * p50 and p99, how late requests were sent at p50, the share that failed, and all requests sent,
   * including those before the measurement. Without users, requests come at random times, {@code
   * perSecond} on average.
   */
  public static void main(String[] args) throws Exception {
    Workers.serve(
        task -> {
          String[] words = task.split(" ", -1);
          return run(
              Target.of(url(Integer.parseInt(words[0]))),
              Integer.parseInt(words[1]),
              Long.parseLong(words[2]),
              Duration.ofMillis(Long.parseLong(words[3])));
        });
  }

  private static String run(Target target, int users, long perSecond, Duration duration)
      throws InterruptedException {
    Traffic traffic = traffic(target.authority());
    try (LoadGenerator generator = new LoadGenerator(target, MAX_CONNECTIONS)) {
      LoadResult ramp = offer(generator, traffic, users, perSecond, RAMP);
      LoadResult result = offer(generator, traffic, users, perSecond, duration);
      return describe(result) + " " + (ramp.counts().offered() + result.counts().offered());
    }
  }

  private static LoadResult offer(
      LoadGenerator generator, Traffic traffic, int users, long perSecond, Duration duration)
      throws InterruptedException {
    long end = duration.toNanos();
    Pace pace =
        users > 0
            ? new ClosedLoop(users, 0, end)
            : OpenLoop.poisson(perSecond, end, new SplittableRandom(1));
    return generator.run(pace, traffic, new Bounds(duration, TIMEOUT, MAX_IN_FLIGHT), done -> {});
  }

  /** Requests of many callers, rendered in advance so that the generator has less to do. */
  private static Traffic traffic(String authority) {
    RequestSpec spec =
        new RequestSpec(
            1, "GET", PATH, Map.of("User-Agent", "bench/1.0", "Accept", "application/json"), "");
    Traffic random =
        new Mix(List.of(spec), new Callers(CALLERS, KEY_HEADER))
            .traffic(authority, new SplittableRandom(1));
    Request[] rendered = Stream.generate(random::next).limit(CALLERS).toArray(Request[]::new);
    SplittableRandom next = new SplittableRandom(2);
    return () -> rendered[next.nextInt(rendered.length)];
  }

  private static String describe(LoadResult result) {
    Latency latency = result.admitted().summary();
    return String.format(
        Locale.ROOT,
        "%d %d %d %d %.6f",
        result.usefulPerSecond(),
        latency.p50Micros(),
        latency.p99Micros(),
        result.sendDelay().p50Micros(),
        1 - (double) result.counts().of(Outcome.OK) / result.counts().offered());
  }
}
