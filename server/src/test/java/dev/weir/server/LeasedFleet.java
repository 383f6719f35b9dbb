package dev.weir.server;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.key.KeySpace;
import dev.weir.rule.Rule;
import dev.weir.rule.RuleBook;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Four servers that lease one counter in a real Redis. */
final class LeasedFleet implements AutoCloseable {
  static final int SERVERS = 4;

  /** Of a limit, what all servers together may hold: five percent, unless a rule says otherwise. */
  private static final int SHARE = 20;

  private final RedisServer redis = RedisServer.start();
  private final RuleBook rules;
  private final Claim claim;
  final List<OneServer> servers = OneServer.several(SERVERS, redis.url() + "?deadline=2s");

  /** What all servers together may hold. */
  final long mayHold;

  LeasedFleet(Limit limit) {
    rules =
        RuleBook.of(
            List.of(Rule.named("hot").limit(limit).mode(Mode.leased()).build()), KeySpace.random());
    claim = rules.match(Descriptor.of(Map.of())).claims().get(0);
    mayHold = limit.capacity() / SHARE;
  }

  boolean ask(int server) {
    return ask(servers.get(server));
  }

  boolean ask(OneServer server) {
    return server.limiter.take(rules.match(Descriptor.of(Map.of()))).join().allowed();
  }

  /** All servers are asked as fast as they answer; what they let pass, and when. */
  Grants flood(Duration duration) {
    return together(server -> flood(server, System.nanoTime() + duration.toNanos()));
  }

  private Grants flood(OneServer server, long end) {
    Grants grants = new Grants();
    for (long start = System.nanoTime(); start < end; start = System.nanoTime()) {
      ask(server, start, grants);
    }
    return grants;
  }

  /** All servers are asked at an even pace. */
  Grants trickle(int perSecondEach, Duration duration) {
    return together(
        server -> {
          Grants grants = new Grants();
          Pace pace = new Pace(perSecondEach);
          long end = System.nanoTime() + duration.toNanos();
          while (pace.next() - end < 0) {
            ask(server, System.nanoTime(), grants);
          }
          return grants;
        });
  }

  private void ask(OneServer server, long start, Grants grants) {
    if (ask(server)) {
      grants.add(start, System.nanoTime());
    }
  }

  private Grants together(Function<OneServer, Grants> load) {
    List<CompletableFuture<Grants>> all = new ArrayList<>();
    for (OneServer server : servers) {
      all.add(
          CompletableFuture.supplyAsync(
              () -> load.apply(server), work -> new Thread(work, "load").start()));
    }
    return Grants.together(all.stream().map(CompletableFuture::join).toList());
  }

  /** Requests that passed on leases. */
  long leased() {
    return servers.stream().mapToLong(server -> server.shared.counts().granted()).sum();
  }

  long stranded() {
    return servers.stream().mapToLong(server -> server.shared.counts().stranded()).sum();
  }

  /** What Redis has counted. */
  long counted() {
    return claim.limit().capacity()
        - servers.get(0).redis.look(List.of(claim.costing(0))).join().remaining();
  }

  @Override
  public void close() {
    servers.forEach(OneServer::close);
    redis.close();
  }
}
