package dev.weir.cli.surge;

import dev.weir.cli.load.Units;
import dev.weir.cli.terminal.Progress;
import dev.weir.load.LoadGenerator;
import dev.weir.load.Target;
import dev.weir.load.arrival.ClosedLoop;
import dev.weir.load.arrival.OpenLoop;
import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Second;
import dev.weir.load.service.Capacity;
import dev.weir.load.traffic.Callers;
import dev.weir.load.traffic.Mix;
import dev.weir.load.traffic.RequestSpec;
import dev.weir.load.traffic.Traffic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The clients: riders who ask for rides and fares. */
final class SurgeClients {
  private static final long SEED = 28;
  private static final int RIDERS = 2_000;
  private static final int BAR_WIDTH = 20;

  /** What one thread can send should be over twice what it is to send. */
  private static final int MAX_LOAD_PERCENT = 40;

  private static final int CALIBRATION_USERS = 64;
  private static final Duration CALIBRATION = Duration.ofSeconds(3);
  private static final int ROUND_TO = 50;

  private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

  /** Three requests for a ride for each estimate of a fare. */
  static final Mix MIX =
      new Mix(
          List.of(
              new RequestSpec(
                  3,
                  "POST",
                  "/api/rides/request",
                  JSON,
                  "{\"rider_id\":\"{caller}\",\"pickup\":[40.7505,-73.9934]}"),
              new RequestSpec(
                  1, "POST", "/api/fares/estimate", JSON, "{\"pickup\":[40.7505,-73.9934]}")),
          new Callers(RIDERS, "X-User-Id"));

  private final Progress progress;

  SurgeClients(Progress progress) {
    this.progress = progress;
  }

  /** Measures what capacity fits this machine: how much clients can send on it, divided. */
  int measureCapacity(String url) throws InterruptedException {
    Target target = Target.of(url);
    Traffic traffic =
        Mix.of(RequestSpec.get("/healthz")).traffic(target.authority(), new SplittableRandom(SEED));
    LoadGenerator.Bounds bounds =
        new LoadGenerator.Bounds(CALIBRATION, SurgeSettings.PATIENCE, CALIBRATION_USERS);
    try (LoadGenerator generator = new LoadGenerator(target, CALIBRATION_USERS)) {
      LoadResult result =
          generator.run(
              new ClosedLoop(CALIBRATION_USERS, 0, CALIBRATION.toNanos()),
              traffic,
              bounds,
              second -> {});
      long best = result.seconds().stream().mapToLong(Second::useful).max().orElse(0);
      return capacityFor(best);
    }
  }

  /** The capacity for a machine on which so many requests per second can be sent. */
  static int capacityFor(long sentPerSecond) {
    long fitting = sentPerSecond * MAX_LOAD_PERCENT / 100 / SurgeSettings.FACTOR;
    long rounded = fitting / ROUND_TO * ROUND_TO;
    return (int) Math.min(SurgeSettings.MAX_CAPACITY, Math.max(Capacity.MIN, rounded));
  }

  /** Offers half of the capacity for a while, and then the surge. */
  SurgeRun run(String name, String url, SurgeSettings settings) throws InterruptedException {
    Target target = Target.of(url);
    SplittableRandom random = new SplittableRandom(SEED);
    Traffic traffic = MIX.traffic(target.authority(), random.split());
    try (LoadGenerator generator = new LoadGenerator(target, settings.maxConnections())) {
      var unused = generator.connect(Math.min(RIDERS, settings.maxConnections()));
      LoadResult ordinary =
          offer(
              generator,
              traffic,
              settings.capacity().perSecond() / 2,
              settings.ordinary(),
              settings,
              random.split(),
              second -> show(name + ", ordinary", second, settings.ordinary()));
      LoadResult surge =
          offer(
              generator,
              traffic,
              settings.offeredPerSecond(),
              settings.surge(),
              settings,
              random.split(),
              second -> show(name + ", surge", second, settings.surge()));
      return SurgeRun.of((int) settings.ordinary().toSeconds(), ordinary, surge);
    }
  }

  private static LoadResult offer(
      LoadGenerator generator,
      Traffic traffic,
      int perSecond,
      Duration duration,
      SurgeSettings settings,
      SplittableRandom random,
      Consumer<Second> listener)
      throws InterruptedException {
    return generator.run(
        OpenLoop.poisson(perSecond, duration.toNanos(), random),
        traffic,
        new LoadGenerator.Bounds(duration, settings.patience(), settings.maxInFlight()),
        listener);
  }

  private void show(String phase, Second second, Duration duration) {
    progress.show(
        Progress.bar(second.index() + 1L, duration.toSeconds(), BAR_WIDTH)
            + " "
            + phase
            + ": "
            + Units.count(second.offered())
            + " offered, "
            + Units.count(second.useful())
            + " useful, "
            + Units.count(second.limited())
            + " limited, "
            + Units.count(second.failed())
            + " failed");
  }
}
