package dev.weir.redis;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.Ticker;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counters in Redis or Valkey, shared by all servers that use it.
 *
 * <p>Every request is decided by one script in Redis, by the time of Redis, so that all servers
 * together are as exact as one. A request whose claims are in several slots of a cluster is the
 * exception: see {@link SplitRequest}.
 *
 * <p>What Redis does not answer by the deadline fails with a {@link StoreFailure}; nothing is sent
 * again that may have been done.
 */
public final class RedisStore implements Store, AutoCloseable {
  private static final int TRIES = 3;

  private final Link link;
  private final RedisSettings settings;
  private final @Nullable Ticker ticker;
  private final Keys keys;
  private final ScheduledExecutorService timer;
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
  private final LongAdder calls = new LongAdder();

  RedisStore(Link link, RedisSettings settings, @Nullable Ticker ticker) {
    this.link = link;
    this.settings = settings;
    this.ticker = ticker;
    this.keys = new Keys(settings.prefix());
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
  }

  /**
   * Connects, and makes sure that the script may run.
   *
   * @throws RedisUnusable if it cannot, with the reason in a line
   */
  public static RedisStore connect(RedisSettings settings) {
    return Connector.connect(settings, null);
  }

  /** The same, by the time of {@code ticker} instead of that of Redis: for tests. */
  public static RedisStore connect(RedisSettings settings, Ticker ticker) {
    return Connector.connect(settings, ticker);
  }

  @Override
  public Answer take(List<Claim> claims) {
    return ask(Operation.TAKE, claims);
  }

  @Override
  public Answer look(List<Claim> claims) {
    return ask(Operation.LOOK, claims);
  }

  @Override
  public Answer refund(List<Claim> claims) {
    return ask(Operation.REFUND, claims);
  }

  @Override
  public Answer charge(List<Claim> claims) {
    return ask(Operation.CHARGE, claims);
  }

  @Override
  public Answer forget(List<Claim> claims) {
    return ask(Operation.FORGET, claims);
  }

  private Answer ask(Operation operation, List<Claim> claims) {
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

  /** Asks about claims that are all in one place. */
  Pending ask(Operation operation, List<Claim> claims, Link.Place place) {
    long deadline = System.nanoTime() + settings.deadline().toNanos();
    Pending pending = new Pending(operation, claims, deadline);
    lanes.computeIfAbsent(place.server(), this::lane).submit(pending);
    return pending;
  }

  private Lane lane(String server) {
    return new Lane(new Sending(), settings.queue(), settings.batch(), settings.inFlight(), timer);
  }

  /** One lane's way of sending: a batch is a call for each slot. */
  private final class Sending implements Lane.Sender {
    private volatile long silentSince;

    @Override
    public void send(List<Pending> batch, Runnable done) {
      Map<Integer, List<Pending>> slots = new HashMap<>();
      for (Pending request : batch) {
        int slot = place(request.claims.get(0)).slot();
        slots.computeIfAbsent(slot, absent -> new ArrayList<>()).add(request);
      }
      AtomicInteger out = new AtomicInteger(slots.size());
      for (List<Pending> together : slots.values()) {
        call(new Batch(together, keys, nowMicros()), 1)
            .whenComplete(
                (answer, failure) -> {
                  silentSince = 0;
                  if (out.decrementAndGet() == 0) {
                    done.run();
                  }
                });
      }
    }

    @Override
    public void unanswered(List<Pending> batch) {
      long now = System.nanoTime();
      if (silentSince == 0) {
        silentSince = now;
      } else if (now - silentSince > settings.patience().toNanos()) {
        silentSince = now;
        var unused = link.renew();
      }
    }
  }

  private long nowMicros() {
    return ticker == null
        ? TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())
        : ticker.micros();
  }

  /** Calls the script, and gives each request its answer; the stage never fails. */
  private CompletionStage<Void> call(Batch batch, int attempt) {
    long given = ticker == null ? 0 : ticker.micros();
    calls.increment();
    byte[] arguments = batch.arguments(given, settings.keptMillis());
    RedisFuture<byte[]> answer;
    try {
      answer =
          link.commands()
              .evalsha(Script.CLAIMS.sha(), ScriptOutputType.VALUE, batch.keys(), arguments);
    } catch (RuntimeException e) {
      Lane.fail(batch.requests(), Failures.of(e));
      return CompletableFuture.completedStage(null);
    }
    return finished(batch, arguments, answer, attempt);
  }

  private CompletionStage<Void> finished(
      Batch batch, byte[] arguments, CompletionStage<byte[]> answer, int attempt) {
    return answer
        .handle((bytes, failure) -> came(batch, arguments, bytes, failure, attempt))
        .thenCompose(stage -> stage);
  }

  private CompletionStage<Void> came(
      Batch batch,
      byte[] arguments,
      byte @Nullable [] bytes,
      @Nullable Throwable failure,
      int attempt) {
    CompletionStage<Void> done = CompletableFuture.completedStage(null);
    if (failure == null && bytes != null) {
      try {
        batch.complete(bytes);
      } catch (RuntimeException e) {
        Lane.fail(batch.requests(), Failures.of(e));
      }
      return done;
    }
    Throwable cause =
        failure == null ? new IllegalStateException("no answer") : Failures.cause(failure);
    String word = Failures.word(cause);
    // Each of these says that nothing was done, so that asking once more charges nobody twice.
    boolean again = attempt < TRIES && !expired(batch);
    if (again && "NOSCRIPT".equals(word)) {
      RedisFuture<byte[]> other =
          link.commands()
              .eval(Script.CLAIMS.text(), ScriptOutputType.VALUE, batch.keys(), arguments);
      return finished(batch, arguments, other, attempt + 1);
    } else if (again && "TRYAGAIN".equals(word)) {
      return call(batch, attempt + 1);
    } else if (again && "STALE".equals(word)) {
      return call(new Batch(batch.requests(), keys, Failures.staleMicros(cause)), attempt + 1);
    }
    if ("READONLY".equals(word)) {
      var unused = link.renew(); // it is a replica now: somebody else is the master
    }
    Lane.fail(batch.requests(), Failures.of(cause));
    return done;
  }

  private static boolean expired(Batch batch) {
    long now = System.nanoTime();
    return batch.requests().stream().anyMatch(request -> request.deadlineNanos - now <= 0);
  }

  /**
   * Keeps a text beside the counters for all who share them, unless one is kept already; either
   * way, the one that is kept. It stays until somebody deletes it.
   */
  public CompletionStage<String> keep(String name, String text) {
    byte[] key = (settings.prefix() + name).getBytes(StandardCharsets.UTF_8);
    byte[] value = text.getBytes(StandardCharsets.UTF_8);
    // Looked at first: a Redis that is full refuses to write even what is there.
    return kept(key)
        .thenCompose(
            kept ->
                kept.isPresent()
                    ? CompletableFuture.completedStage(kept)
                    : link.commands()
                        .set(key, value, SetArgs.Builder.nx())
                        .thenCompose(set -> kept(key)))
        .thenApply(kept -> kept.orElse(text));
  }

  /** By MGET, which the script uses too, so that nobody needs one more permission. */
  private CompletionStage<Optional<String>> kept(byte[] key) {
    return link.commands()
        .mget(key)
        .thenApply(
            found ->
                found.get(0).optional().map(bytes -> new String(bytes, StandardCharsets.UTF_8)));
  }

  /** How often the script was called; each call holds all requests of a batch in one slot. */
  public long calls() {
    return calls.sum();
  }

  @Override
  public void close() {
    lanes.values().forEach(Lane::close);
    timer.shutdownNow();
    link.close();
  }
}
