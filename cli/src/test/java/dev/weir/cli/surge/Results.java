package dev.weir.cli.surge;

import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Recorder;
import dev.weir.load.service.Capacity;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Results of surges that never were: 800 requests per second for one second. */
final class Results {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Recorder recorder = new Recorder(second -> {});

  /** Adds answers with the same status and latency. */
  Results answered(int count, int status, long millis) {
    for (int i = 0; i < count; i++) {
      recorder.onOffer(0, 0);
    }
    for (int i = 0; i < count; i++) {
      recorder.onAnswer(status, status == 503, 0, TimeUnit.MILLISECONDS.toNanos(millis));
    }
    return this;
  }

  LoadResult result() {
    return recorder.finish(SECOND, 10 * SECOND);
  }

  SurgeRun run() {
    LoadResult ordinary = new Results().answered(400, 200, 40).result();
    return SurgeRun.of(1, ordinary, result());
  }

  /** A service of 800 that collapses alone, and does well behind Weir. */
  static SurgeComparison good() {
    return comparison(collapsed(), protectedRun());
  }

  static SurgeRun collapsed() {
    return new Results().answered(100, 200, 40).answered(2_000, 500, 10_000).run();
  }

  static SurgeRun protectedRun() {
    return new Results().answered(760, 200, 60).answered(11_240, 429, 1).run();
  }

  static SurgeComparison comparison(SurgeRun bare, SurgeRun limited) {
    SurgeSettings settings = SurgeSettings.of(Capacity.of(800), Duration.ofSeconds(1), 1_000_000);
    return new SurgeComparison(settings, bare, limited);
  }
}
