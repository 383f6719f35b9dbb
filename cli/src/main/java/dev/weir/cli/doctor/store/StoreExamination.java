package dev.weir.cli.doctor.store;

import static dev.weir.cli.doctor.report.Verdict.FAULT;
import static dev.weir.cli.doctor.report.Verdict.OK;
import static dev.weir.cli.doctor.report.Verdict.UNPROVEN;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.StoreFailure;
import dev.weir.cli.doctor.report.Check;
import dev.weir.cli.doctor.report.Findings;
import dev.weir.cli.store.OpenedStore;
import dev.weir.contract.QuickContract;
import dev.weir.key.KeySpace;
import dev.weir.redis.NodeInfo;
import dev.weir.redis.RedisStore;
import dev.weir.time.Ticker;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionException;

/** Runs the quick part of the contract on a store, and looks at how Redis is set up. */
public final class StoreExamination {
  private static final int ROUND_TRIPS = 21;
  private static final long SLOW_MICROS = 10_000;

  private final OpenedStore opened;
  private final Findings findings;
  private final Ticker ticker;

  /** An examination of a store, by the clock of this machine. */
  public StoreExamination(OpenedStore opened, Findings findings, Ticker ticker) {
    this.opened = opened;
    this.findings = findings;
    this.ticker = ticker;
  }

  /** Runs all checks. */
  public void run() {
    try {
      for (QuickContract.Result result : QuickContract.check(opened.store())) {
        boolean holds = result.failure().isEmpty();
        String found = result.failure().map(why -> ": " + why).orElse("");
        add(Check.STORE_CONTRACT, holds, result.name() + found);
      }
      roundTrip();
    } catch (StoreFailure | CompletionException e) {
      add(Check.STORE_CONTRACT, false, StoreFailure.cause(e).getMessage() + "");
    }
    opened.redis().ifPresent(this::redis);
  }

  private void roundTrip() {
    Limit limit = Limit.tokenBucket(1, Duration.ofSeconds(1));
    Claim claim = Claim.of(limit, KeySpace.random().key("round trip"), 1);
    long[] micros = new long[ROUND_TRIPS];
    for (int i = 0; i < ROUND_TRIPS; i++) {
      long start = ticker.micros();
      opened.store().peek(List.of(claim)).join();
      micros[i] = ticker.micros() - start;
    }
    Arrays.sort(micros);
    long median = micros[ROUND_TRIPS / 2];
    String evidence =
        String.format(
            Locale.ROOT,
            "median %.2f ms, longest %.2f ms",
            median / 1e3,
            micros[ROUND_TRIPS - 1] / 1e3);
    add(Check.STORE_ROUND_TRIP, median < SLOW_MICROS, evidence);
  }

  private void redis(RedisStore redis) {
    Map<String, String> memory = NodeInfo.read(redis, "memory");
    Map<String, String> replication = NodeInfo.read(redis, "replication");
    Map<String, String> persistence = NodeInfo.read(redis, "persistence");
    NodeInfo.read(redis, "server")
        .forEach(
            (node, server) -> {
              long now = ticker.micros();
              if (server.isEmpty()) {
                findings.add(Check.STORE_SETTINGS, node, UNPROVEN, "this user may not call INFO");
                return;
              }
              RedisNode one =
                  new RedisNode(
                      server
                          + memory.getOrDefault(node, "")
                          + replication.getOrDefault(node, "")
                          + persistence.getOrDefault(node, ""));
              List<String> troubles = one.troubles();
              findings.add(
                  Check.STORE_SETTINGS,
                  node,
                  troubles.isEmpty() ? OK : FAULT,
                  one.summary() + (troubles.isEmpty() ? "" : ": " + String.join("; ", troubles)));
              one.clockDifferenceMillis(now)
                  .ifPresent(
                      millis ->
                          findings.add(
                              Check.STORE_CLOCK,
                              node,
                              Math.abs(millis) < RedisNode.MAX_CLOCK_DIFFERENCE_MILLIS ? OK : FAULT,
                              "its clock is " + millis + " ms ahead of this machine's"));
            });
  }

  private void add(Check check, boolean holds, String evidence) {
    findings.add(check, opened.name(), holds ? OK : FAULT, evidence);
  }
}
