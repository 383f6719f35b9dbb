package dev.weir.benchmarks.lease;

import dev.weir.benchmarks.harness.Workers;
import dev.weir.limiter.Limiter;
import dev.weir.rule.book.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process with a {@link Node} that calls it as fast as it answers, or at an even rate. */
final class Load {
  private final Limiter limiter;
  private final Match match;
  private final long pauseNanos;
  private volatile boolean done;

  private Load(Limiter limiter, Task task) {
    this.limiter = limiter;
    this.match = task.match();
    this.pauseNanos =
        task.perSecond() == 0 ? 0 : task.threads() * 1_000_000_000L / task.perSecond();
  }

  /** The counts of one thread. */
  private record Counts(long decisions, long admitted) {}

  /** Joins the fleet, then serves tasks; the arguments are the URL of Redis and the fleet size. */
  public static void main(String[] args) throws Exception {
    try (Node node = new Node(args[0], Integer.parseInt(args[1]))) {
      node.awaitFleet();
      Workers.serve(task -> run(node, Task.parse(task)).line());
    }
    System.exit(0);
  }

  private static Result run(Node node, Task task) throws InterruptedException, ExecutionException {
    long leased = node.leased();
    long answers = node.answers();
    long calls = node.calls();
    long start = System.nanoTime();
    List<Counts> all =
        new Load(node.limiter(task.variant()), task).run(task.threads(), task.millis());
    long nanos = System.nanoTime() - start;
    node.check();
    return new Result(
        all.stream().mapToLong(Counts::decisions).sum(),
        all.stream().mapToLong(Counts::admitted).sum(),
        node.leased() - leased,
        node.answers() - answers,
        node.calls() - calls,
        nanos);
  }

  private List<Counts> run(int count, long millis) throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    List<Future<Counts>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      running.add(threads.submit(this::call));
    }
    threads.shutdown();
    if (!threads.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
      done = true;
    }
    List<Counts> all = new ArrayList<>();
    for (Future<Counts> future : running) {
      all.add(future.get());
    }
    return all;
  }

  private Counts call() {
    long decisions = 0;
    long admitted = 0;
    long due = System.nanoTime();
    while (!done) {
      due += pauseNanos;
      while (pauseNanos > 0 && due - System.nanoTime() > 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      decisions++;
      admitted += limiter.take(match).join().allowed() ? 1 : 0;
    }
    return new Counts(decisions, admitted);
  }
}
