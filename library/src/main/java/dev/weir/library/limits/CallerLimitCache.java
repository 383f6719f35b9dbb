package dev.weir.library.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.internal.Rejections;
import dev.weir.key.KeySpace;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerLimits;
import dev.weir.rule.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LimitSource} has answered, for requests that must not wait for it.
 *
 * <p><b>How.</b> A caller that is looked up for the first time, or whose limits are old, is asked
 * about on one of a few threads. Old limits stay in use meanwhile. A request of a new caller may
 * wait for the answer, if it looks callers up by a {@link Lookup}.
 *
 * <p><b>Bounds.</b> At most {@value #MAX_THREADS} questions run and {@value #MAX_WAITING} wait at a
 * time. Callers beyond that have the limits of the rule until there is room. So a flood of invented
 * callers costs a slow database no more than that.
 *
 * <p>Thread-safe.
 */
public final class CallerLimitCache implements CallerLimits {
  static final int MAX_THREADS = 8;
  static final int MAX_WAITING = 1_000;

  private static final System.Logger LOG = System.getLogger(CallerLimitCache.class.getName());
  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);
  private static final Duration IDLE = Duration.ofSeconds(10);

  private final LimitSource source;
  private final KeySpace hash = KeySpace.random();
  private final Map<String, KeySpace.Name> rules;
  private final long refreshNanos;
  private final long maxWaitNanos;
  private final Scheduler scheduler;
  private final ThreadPoolExecutor threads;

  /** Under a hash, so that a caller with a long name takes no more room than others. */
  private final Cache<LimitKey, Entry> cache =
      Caffeine.newBuilder()
          .maximumSize(LimitSource.MAX_CALLERS)
          .executor(Continuations.DIRECT)
          .build();

  /** What is known of a caller. */
  private static final class Entry {
    /** Null if the limits of the rule apply. */
    volatile @Nullable Allowance limits;

    volatile boolean known;

    /** Whether a request has waited for the answer as long as it may; later ones do not. */
    volatile boolean late;

    volatile long askAgainNanos;
    final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> question =
        new AtomicReference<>();
  }

  /**
   * Keeps what a source answers.
   *
   * @throws IllegalArgumentException if one of its durations is not positive
   */
  public CallerLimitCache(LimitSource source, Scheduler scheduler) {
    this.source = source;
    this.rules = source.rules().stream().collect(Collectors.toMap(rule -> rule, hash::name));
    this.refreshNanos = positive("refreshAfter", source.refreshAfter());
    this.maxWaitNanos = positive("maxWait", source.maxWait());
    this.scheduler = scheduler;
    this.threads =
        new ThreadPoolExecutor(
            MAX_THREADS,
            MAX_THREADS,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            CallerLimitCache::daemon);
    threads.allowCoreThreadTimeOut(true);
  }

  private static long positive(String field, Duration duration) {
    if (duration.isNegative() || duration.isZero() || duration.compareTo(Duration.ofDays(1)) > 0) {
      throw Rejections.of(field, duration, "from 1 ns to a day");
    }
    return duration.toNanos();
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "weir-limit-source");
    thread.setDaemon(true);
    return thread;
  }

  /** What is known now; an unknown caller has the limits of the rule. */
  @Override
  public @Nullable Allowance find(Rule rule, List<String> caller) {
    Entry entry = entry(rule, caller);
    return entry == null ? null : entry.limits;
  }

  /** Looks callers up for one request, which may wait for those that are not known yet. */
  public Lookup newLookup() {
    return new Lookup();
  }

  /** The callers of one request. Not thread-safe. */
  public final class Lookup implements CallerLimits {
    private List<CompletableFuture<@Nullable Void>> questions = List.of();
    private List<Entry> unknown = List.of();

    private Lookup() {}

    @Override
    public @Nullable Allowance find(Rule rule, List<String> caller) {
      Entry entry = entry(rule, caller);
      if (entry == null) {
        return null;
      }
      CompletableFuture<@Nullable Void> question = entry.question.get();
      if (!entry.known && !entry.late && question != null) {
        questions = questions.isEmpty() ? new ArrayList<>(2) : questions;
        questions.add(question);
        unknown = unknown.isEmpty() ? new ArrayList<>(2) : unknown;
        unknown.add(entry);
      }
      return entry.limits;
    }

    /** Whether all callers were known. */
    public boolean isComplete() {
      return questions.isEmpty();
    }

    /** Completes when all callers are known, or when the request has waited for long enough. */
    public CompletableFuture<@Nullable Void> known() {
      CompletableFuture<@Nullable Void> known = all();
      scheduler.schedule(maxWaitNanos, () -> endWait(known));
      return known;
    }

    private void endWait(CompletableFuture<@Nullable Void> known) {
      if (!known.isDone()) {
        markLate();
        Continuations.run(scheduler.continuations(), () -> known.complete(null));
      }
    }

    private void markLate() {
      unknown.forEach(entry -> entry.late = true);
    }

    /** Waits like {@link #known}. */
    public void await() {
      try {
        var unused = all().get(maxWaitNanos, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (TimeoutException | ExecutionException e) {
        markLate(); // the limits of the rule apply until the answer is there
      }
    }

    private CompletableFuture<@Nullable Void> all() {
      return CompletableFuture.allOf(questions.toArray(CompletableFuture[]::new));
    }
  }

  /** What is known of a caller, who is asked about if need be; null if the rule is not ours. */
  private @Nullable Entry entry(Rule rule, List<String> caller) {
    KeySpace.Name name = rules.get(rule.name());
    if (name == null || caller.contains("")) {
      return null;
    }
    LimitKey key = hash.owner(caller.toArray(String[]::new)).key(name);
    Entry entry = cache.get(key, absent -> new Entry());
    if (!entry.known || scheduler.nanos() - entry.askAgainNanos >= 0) {
      ask(entry, rule, caller);
    }
    return entry;
  }

  private void ask(Entry entry, Rule rule, List<String> caller) {
    CompletableFuture<@Nullable Void> question = new CompletableFuture<>();
    if (!entry.question.compareAndSet(null, question)) {
      return;
    }
    try {
      threads.execute(() -> answer(entry, question, rule, caller));
    } catch (RejectedExecutionException e) {
      end(entry, question, ASK_AGAIN);
    }
  }

  private void answer(
      Entry entry, CompletableFuture<@Nullable Void> question, Rule rule, List<String> caller) {
    Duration askAgain = ASK_AGAIN;
    try {
      entry.limits = checked(rule, source.limits(rule.name(), values(rule, caller)).orElse(null));
      askAgain = Duration.ofNanos(refreshNanos);
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Failed to find the limits of a caller for rule "
              + rule.name()
              + "; those last known stay in use, or else those of the rule",
          e);
    } finally {
      end(entry, question, askAgain);
    }
  }

  private void end(Entry entry, CompletableFuture<@Nullable Void> question, Duration askAgain) {
    entry.askAgainNanos = scheduler.nanos() + askAgain.toNanos();
    entry.known = true;
    entry.question.set(null);
    question.complete(null);
  }

  private static Map<String, String> values(Rule rule, List<String> caller) {
    Map<String, String> values = new LinkedHashMap<>();
    boolean one = caller.size() == 2 * rule.per().size(); // a value for each identity
    for (int i = 0; i + 1 < caller.size(); i += 2) {
      values.put(caller.get(i), caller.get(i + 1));
      if (one) {
        values.put(rule.per().get(i / 2).name(), caller.get(i + 1));
      }
    }
    return values;
  }

  private static @Nullable Allowance checked(Rule rule, @Nullable Allowance answer) {
    for (Limit limit : answer == null ? List.<Limit>of() : answer.limits()) {
      if (limit.algorithm() == Algorithm.CONCURRENCY) {
        throw Rejections.of("limit", limit, "a rate; permits stay in the rules");
      }
      var unused = rule.perServer(limit); // throws if it cannot be divided
    }
    return answer;
  }
}
