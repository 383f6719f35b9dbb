package dev.weir.server.action;

import dev.weir.Descriptor;
import dev.weir.key.KeySpace;
import dev.weir.rule.Multiple;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRegistry;
import dev.weir.rules.action.Adjustment;
import dev.weir.rules.action.Adjustment.Kind;
import dev.weir.rules.yaml.RulesText;
import dev.weir.server.action.Action.Stamp;
import dev.weir.shared.fleet.FleetTable;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Servers that share a table of actions, on one manual clock; each has rules of its own. */
final class ActionFleet {
  static final Stamp ALICE = new Stamp("alice", "10.0.0.1", Instant.parse("2026-11-17T09:00:00Z"));
  static final Stamp BOB = new Stamp("bob", "10.0.0.2", Instant.parse("2026-11-17T09:00:10Z"));

  private static final String RULES =
      "rules: [{name: login, limit: 10/minute, algorithm: fixed-window}]";

  final ManualTicker clock = ManualTicker.at(Duration.ofDays(20_000));
  final ManualScheduler scheduler = new ManualScheduler(clock);
  final FaultyTable table = new FaultyTable(clock);
  private final List<RulesRegistry> registries = new ArrayList<>();
  private int ids;

  /** A server that has read the table; no two of them read it at the same moments. */
  Actions server() {
    Actions server = server(table);
    advance(Duration.ofMillis(10));
    return server;
  }

  Actions server(FleetTable shared) {
    RulesRegistry rules =
        new RulesRegistry(new RulesLoader(KeySpace.random(), Map.of()), () -> Instant.EPOCH);
    rules.addSource("test").offer(List.of(RulesText.of("rules.yaml", RULES)));
    registries.add(rules);
    Actions actions = new Actions(shared, rules, scheduler);
    actions.start();
    return actions;
  }

  void advance(Duration time) {
    scheduler.advance(time);
  }

  /** What the rule of the n-th server allows in a minute. */
  long permits(int server) {
    return registries
        .get(server)
        .current()
        .book()
        .match(Descriptor.of(Map.of()))
        .claims()
        .get(0)
        .limit()
        .permits();
  }

  RulesRegistry rules(int server) {
    return registries.get(server);
  }

  /** An action that multiplies the limit, later than those before. */
  Action multiply(long factor, Duration lasting) {
    Adjustment adjustment =
        new Adjustment(
            String.format("%012d", ids++),
            Kind.MULTIPLY,
            Optional.of("login"),
            Optional.of(new Multiple(factor * Multiple.WHOLE)),
            OptionalLong.empty());
    Stamp taken = new Stamp(ALICE.by(), ALICE.address(), ALICE.at().plusMillis(ids));
    return new Action(adjustment, "a test", taken, taken.at().plus(lasting), Optional.empty());
  }

  Action take(Actions server, long factor, Duration lasting) {
    return done(server.take(multiply(factor, lasting), lasting)).orElseThrow();
  }

  /** The result of a call, which needs no time. */
  <T> T done(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    for (int i = 0; i < 10 && !future.isDone(); i++) {
      advance(Duration.ZERO);
    }
    if (!future.isDone()) {
      throw new AssertionError("not done");
    }
    return future.join();
  }

  static List<String> ids(Actions server) {
    return server.list().stream().map(one -> one.action().id()).toList();
  }
}
