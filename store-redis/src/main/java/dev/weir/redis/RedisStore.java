package dev.weir.redis;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.Ticker;
import dev.weir.guard.Places;
import dev.weir.guard.Roster;
import dev.weir.operation.Continuations;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counters in Redis or Valkey, shared by all servers that use it.
 *
 * <p>Every request is decided by a script in Redis, by the time of Redis, so that all servers
 * together are as exact as one. A request whose claims are in several slots of a cluster is the
 * exception: see {@link SplitRequest}.
 *
 * <p>What Redis does not answer by the deadline fails with a {@link StoreFailure}; nothing is sent
 * again that may have been done.
 */
public final class RedisStore extends UniformStore implements AutoCloseable {
  private static final Duration WHILE_WARMING = Duration.ofSeconds(1);
  private static final Duration AFTER_WARMING = Duration.ofSeconds(10);

  private final Link link;
  private final RedisSettings settings;
  private final @Nullable Ticker ticker;
  private final Ticker near;
  private final Keys keys;
  private final Roster roster;
  private final ScheduledExecutorService timer;
  private final StallClock clock;
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
  private final Answers answers = new Answers();
  private final Executor continuations;
  private final Unclaimed unclaimed = new Unclaimed(this::giveBack);
  private final LongAdder calls = new LongAdder();
  private volatile Duration deadline;
  private volatile boolean closed;

  RedisStore(
      Link link,
      RedisSettings settings,
      @Nullable Ticker ticker,
      Ticker near,
      Executor continuations) {
    this.continuations = continuations;
    this.link = link;
    this.settings = settings;
    this.deadline = settings.deadline();
    this.ticker = ticker;
    this.near = near;
    this.keys = new Keys(settings.prefix());
    this.roster = new RedisRoster(link, settings, continuations);
    ScheduledThreadPoolExecutor pool =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "weir-redis-deadlines");
              thread.setDaemon(true);
              return thread;
            });
    pool.setRemoveOnCancelPolicy(true);
    this.timer = pool;
    this.clock = new StallClock(link.loops(), pool, this::isOutstanding);
  }

  /**
   * Connects, and makes sure that the scripts may run. Callers go on in {@link
   * Continuations#shared()}.
   *
   * @throws RedisUnusable if it cannot, with the reason in a line
   */
  public static RedisStore connect(RedisSettings settings) {
    return connect(settings, Continuations.shared());
  }

  /**
   * The same, where callers go on in another executor.
   *
   * @param continuations runs what callers add to stages. One that runs it at once, as {@link
   *     Continuations#DIRECT} does, runs it on threads of the Redis driver: whoever blocks there,
   *     or waits for another answer, keeps everybody waiting
   */
  public static RedisStore connect(RedisSettings settings, Executor continuations) {
    return Connector.connect(settings, null, Ticker.system(), continuations);
  }

  /** The same, by the time of {@code ticker} instead of that of Redis: for tests. */
  public static RedisStore connect(RedisSettings settings, Ticker ticker) {
    return Connector.connect(settings, ticker, ticker, Continuations.shared());
  }

  @Override
  protected Answer ask(Operation operation, List<Claim> claims) {
    List<Claim> request = Claim.request(claims);
    if (request.isEmpty()) {
      return Decision.of(List.of());
    }
    Link.Place place = place(request.get(0));
    for (int i = 1; i < request.size(); i++) {
      if (place(request.get(i)).slot() != place.slot()) {
        return SplitRequest.ask(this, operation, request);
      }
    }
    return ask(operation, request, place);
  }

  Link.Place place(Claim claim) {
    return link.place(claim.key());
  }

  /**
   * Tries out whether the scripts may do all that they do.
   *
   * @throws StoreFailure if Redis does not let them
   */
  void tryOut(Duration limit) {
    // Not in the lanes of the others, where all have the same time.
    Trial.run(newLane(place(Trial.CLAIM).server()), clock.deadline(limit));
  }

  /** Asks about claims that are all in one place. */
  Pending ask(Operation operation, List<Claim> claims, Link.Place place) {
    Pending pending = new Pending(operation, claims, deadline(), continuations, unclaimed);
    if (operation == Operation.TAKE) {
      unclaimed.submit(pending, () -> lane(place.server()).submit(pending));
    } else {
      lane(place.server()).submit(pending);
    }
    return pending;
  }

  /**
   * Gives requests more time from now on, until {@link #warm}: most of what a process that has just
   * started waits for is itself.
   */
  public void warmUp() {
    deadline = settings.deadline().compareTo(WHILE_WARMING) < 0 ? WHILE_WARMING : deadline;
  }

  /**
   * Gives requests the time of the settings from now on; but for the first while still several
   * times as much, since a process goes on compiling the code that is used most.
   */
  public void warm() {
    clock.expectStalls(AFTER_WARMING);
    deadline = settings.deadline();
  }

  private void giveBack(List<Claim> claims) {
    var unused = ask(Operation.REFUND, claims, place(claims.get(0)));
  }

  /** Where callers go on. */
  Executor continuations() {
    return continuations;
  }

  /** How many takes of concurrency permits are on their way. */
  int holdsOnTheirWay() {
    return unclaimed.size();
  }

  /** By when a request that comes now is answered. */
  Deadline deadline() {
    return clock.deadline(deadline, settings.deadline());
  }

  private boolean isOutstanding() {
    for (Lane lane : lanes.values()) {
      if (!lane.isIdle()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Tells whoever waits for this that time is over, if it is not answered before.
   *
   * @param failure says what is known of it by then
   */
  void limit(Pending answer, Supplier<StoreFailure> failure) {
    long left = clock.leftNanos(answer.deadline);
    if (left <= 0) {
      answer.fail(failure.get());
      return;
    }
    try {
      Future<?> end =
          timer.schedule(
              () -> clock.afterReads(() -> limit(answer, failure)), left, TimeUnit.NANOSECONDS);
      var unused = answer.whenComplete((decision, thrown) -> end.cancel(false));
    } catch (RejectedExecutionException e) {
      // Closed: all that is asked fails at once.
    }
  }

  private Lane lane(String server) {
    Lane known = lanes.get(server);
    if (known != null) {
      return known;
    }
    // Servers come and go; a lane to one that has gone is not kept.
    lanes.entrySet().removeIf(lane -> !link.knows(lane.getKey()) && lane.getValue().isIdle());
    Lane lane = lanes.computeIfAbsent(server, this::newLane);
    if (closed) {
      lane.close();
    }
    return lane;
  }

  /** The servers to which lanes lead. */
  Set<String> servers() {
    return Set.copyOf(lanes.keySet());
  }

  private Lane newLane(String server) {
    return new Lane(
        new Sending(server, link, settings, keys, ticker, near, answers, clock, calls),
        settings.queue(),
        settings.batch(),
        settings.inFlight(),
        settings.patience(),
        timer,
        clock);
  }

  /**
   * Keeps a text beside the counters for all who share them, unless one is kept already; either
   * way, the one that is kept. It stays until somebody deletes it.
   */
  public CompletionStage<String> keep(String name, String text) {
    return new KeptText(link, settings.prefix() + name)
        .keep(text)
        .whenCompleteAsync((kept, failure) -> {}, continuations);
  }

  /** The servers of a cluster, which fail each by itself; of anything else there is one. */
  public Places places() {
    return link.isOne() ? Places.ONE : new ClusterPlaces(link);
  }

  /**
   * The servers that share these counters, kept beside them. Who may not keep it can decide all the
   * same.
   */
  public Roster roster() {
    return roster;
  }

  /** How often a script was called; each call holds all requests of a batch in one slot. */
  public long calls() {
    return calls.sum();
  }

  @Override
  public void close() {
    closed = true;
    lanes.values().forEach(Lane::close);
    timer.shutdownNow();
    link.close();
    answers.close();
  }
}
