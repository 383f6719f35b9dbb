package dev.weir.benchmarks.lease;

import dev.weir.benchmarks.Workers;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process with a {@link Node}, which it asks as fast as it answers, or evenly. */
final class Load {
  private final Limiter limiter;
  private final Match match;
  private final long pauseNanos;
  private volatile boolean over;

  private Load(Limiter limiter, Task task) {
    this.limiter = limiter;
    this.match = task.match();
    this.pauseNanos =
        task.perSecond() == 0 ? 0 : task.threads() * 1_000_000_000L / task.perSecond();
  }

  /** What one thread saw. */
  private record Seen(long decisions, long admitted) {}

  public static void main(String[] args) throws Exception {
    try (Node node = new Node(args[0], Integer.parseInt(args[1]))) {
      node.awaitOthers();
      Workers.serve(task -> run(node, Task.parse(task)).line());
    }
    System.exit(0);
  }

  private static Result run(Node node, Task task) throws InterruptedException, ExecutionException {
    long leased = node.leased();
    long answers = node.answers();
    long calls = node.calls();
    long start = System.nanoTime();
    List<Seen> all = new Load(node.limiter(task.way()), task).run(task.threads(), task.millis());
    long nanos = System.nanoTime() - start;
    node.check();
    return new Result(
        all.stream().mapToLong(Seen::decisions).sum(),
        all.stream().mapToLong(Seen::admitted).sum(),
        node.leased() - leased,
        node.answers() - answers,
        node.calls() - calls,
        nanos);
  }

  private List<Seen> run(int count, long millis) throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    List<Future<Seen>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      running.add(threads.submit(this::ask));
    }
    threads.shutdown();
    if (!threads.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
      over = true;
    }
    List<Seen> all = new ArrayList<>();
    for (Future<Seen> one : running) {
      all.add(one.get());
    }
    return all;
  }

  private Seen ask() {
    long decisions = 0;
    long admitted = 0;
    long due = System.nanoTime();
    while (!over) {
      due += pauseNanos;
      while (pauseNanos > 0 && due - System.nanoTime() > 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      decisions++;
      admitted += limiter.take(match).join().allowed() ? 1 : 0;
    }
    return new Seen(decisions, admitted);
  }
}
