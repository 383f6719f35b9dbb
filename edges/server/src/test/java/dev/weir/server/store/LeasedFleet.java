package dev.weir.server.store;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.key.KeySpace;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.server.FixedRate;
import dev.weir.server.GrantLog;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Four servers that lease one counter in a real Redis. */
public final class LeasedFleet implements AutoCloseable {
  public static final int SERVERS = 4;

  /** All servers together may lease a twentieth of a limit, which is the default. */
  private static final int SHARE = 20;

  private final RedisServer redis = RedisServer.start();
  private final RuleBook rules;
  private final Claim claim;
  public final List<OneServer> servers = OneServer.several(SERVERS, redis.url() + "?deadline=2s");

  /** The permits that all servers together may lease. */
  public final long mayHold;

  public LeasedFleet(Limit limit) {
    rules =
        RuleBook.of(
            List.of(Rule.named("hot").limit(limit).mode(Mode.leased()).build()), KeySpace.random());
    claim = rules.match(Descriptor.of(Map.of())).claims().get(0);
    mayHold = limit.capacity() / SHARE;
  }

  public boolean ask(int server) {
    return ask(servers.get(server));
  }

  boolean ask(OneServer server) {
    return server.limiter.take(rules.match(Descriptor.of(Map.of()))).join().allowed();
  }

  /** Sends requests to all servers as fast as they answer, and returns the grants. */
  public GrantLog flood(Duration duration) {
    return together(server -> flood(server, System.nanoTime() + duration.toNanos()));
  }

  private GrantLog flood(OneServer server, long end) {
    GrantLog grants = new GrantLog();
    for (long start = System.nanoTime(); start < end; start = System.nanoTime()) {
      ask(server, start, grants);
    }
    return grants;
  }

  /** Sends requests to all servers at a fixed rate, and returns the grants. */
  public GrantLog trickle(int perSecondEach, Duration duration) {
    return together(
        server -> {
          GrantLog grants = new GrantLog();
          FixedRate pace = new FixedRate(perSecondEach);
          long end = System.nanoTime() + duration.toNanos();
          while (pace.next() - end < 0) {
            ask(server, System.nanoTime(), grants);
          }
          return grants;
        });
  }

  private void ask(OneServer server, long start, GrantLog grants) {
    if (ask(server)) {
      grants.add(start, System.nanoTime());
    }
  }

  private GrantLog together(Function<OneServer, GrantLog> load) {
    List<CompletableFuture<GrantLog>> all = new ArrayList<>();
    for (OneServer server : servers) {
      all.add(
          CompletableFuture.supplyAsync(
              () -> load.apply(server), work -> new Thread(work, "load").start()));
    }
    return GrantLog.together(all.stream().map(CompletableFuture::join).toList());
  }

  /** Requests that passed on leases. */
  public long leased() {
    return servers.stream().mapToLong(server -> server.shared.counts().granted()).sum();
  }

  public long stranded() {
    return servers.stream().mapToLong(server -> server.shared.counts().stranded()).sum();
  }

  /** The count in Redis. */
  public long counted() {
    return claim.limit().capacity()
        - servers.get(0).redis.peek(List.of(claim.withCost(0))).join().remaining();
  }

  @Override
  public void close() {
    servers.forEach(OneServer::close);
    redis.close();
  }
}
