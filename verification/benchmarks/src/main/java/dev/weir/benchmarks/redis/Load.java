package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.harness.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A process that calls contestants as fast as they answer: reads tasks, prints results. */
final class Load {
  private static final int SEED = 20_261_116;
  private static final int MAX_SAMPLES = 20_000_000;

  private final String url;
  private final Map<ContestantType, Contestant> open = new EnumMap<>(ContestantType.class);

  /** The samples of one thread. */
  private static final class Samples {
    private long[] nanos = new long[1 << 14];
    private int count;
    private long denied;

    void add(long took, boolean allowed) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = took;
      denied += allowed ? 0 : 1;
    }
  }

  private Load(String url) {
    this.url = url;
  }

  /** Serves tasks; the argument is the URL of Redis. */
  public static void main(String[] args) throws Exception {
    Load load = new Load(args[0]);
    Workers.serve(task -> load.run(Task.parse(task)).line());
    load.open.values().forEach(Contestant::close);
    System.exit(0);
  }

  private Result run(Task task) throws InterruptedException, ExecutionException {
    Contestant contestant = open.computeIfAbsent(task.contestant(), type -> type.open(url));
    ExecutorService threads = Executors.newFixedThreadPool(task.threads());
    List<Future<Samples>> running = new ArrayList<>();
    long start = System.nanoTime();
    long end = start + TimeUnit.MILLISECONDS.toNanos(task.millis());
    for (int i = 0; i < task.threads(); i++) {
      SplittableRandom random = new SplittableRandom(SEED + i);
      running.add(threads.submit(() -> call(contestant, task.callers(), random, end)));
    }
    threads.shutdown();
    List<Samples> all = new ArrayList<>();
    for (Future<Samples> future : running) {
      all.add(future.get());
    }
    long elapsed = System.nanoTime() - start;
    long[] nanos =
        all.stream()
            .flatMapToLong(samples -> Arrays.stream(samples.nanos, 0, samples.count))
            .toArray();
    Arrays.sort(nanos);
    return Result.of(nanos, all.stream().mapToLong(samples -> samples.denied).sum(), elapsed);
  }

  private static Samples call(
      Contestant contestant, int callers, SplittableRandom random, long end) {
    Samples samples = new Samples();
    long before = System.nanoTime();
    while (before - end < 0 && samples.count < MAX_SAMPLES) {
      boolean allowed = contestant.allow(callers == 1 ? 0 : random.nextInt(callers));
      long after = System.nanoTime();
      samples.add(after - before, allowed);
      before = after;
    }
    return samples;
  }
}
