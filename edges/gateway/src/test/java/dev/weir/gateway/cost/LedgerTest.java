package dev.weir.gateway.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.Store;
import dev.weir.gateway.cost.Settled.Amount;
import dev.weir.gateway.cost.SimulatedProvider.Fate;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.rule.PriceTable;
import dev.weir.rule.PriceTable.Price;
import dev.weir.rule.ResponseCost.LlmUsage;
import dev.weir.rule.ResponseCost.Unit;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Parallel streams of a provider, three of ten aborted before their usage and one of ten without
 * any: the counters are never below what the provider bills.
 */
@Timeout(300)
class LedgerTest {
  private static final int STREAMS = 50;
  private static final Duration WINDOW = Duration.ofDays(3_000);
  private static final Price PRICE = new Price(2_500_000, 10_000_000);
  private static final LlmUsage DOLLARS =
      new LlmUsage(
          Unit.MICRO_DOLLARS, new PriceTable(List.of(new PriceTable.Entry("gpt-4o*", PRICE))));

  /** What one round of streams came to. */
  private static final class Totals {
    final AtomicLong tokens = new AtomicLong();
    final AtomicLong dollars = new AtomicLong();
    final List<Settled> settled = Collections.synchronizedList(new ArrayList<>());

    void add(Usage billed) {
      tokens.addAndGet(billed.inputTokens() + billed.outputTokens());
      dollars.addAndGet(PRICE.cost(billed.inputTokens(), billed.outputTokens()));
    }

    /** What was used beyond what was reserved, for the rule at an index. */
    long beyondReserved(int rule) {
      return settled.stream()
          .map(one -> one.amounts().get(rule))
          .mapToLong(one -> Math.max(0, one.actual() - one.reserved()))
          .sum();
    }
  }

  @Test
  void ledgerInMemoryIsNeverBelowTheTruth() {
    ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
    Seeds.run(
        random -> {
          for (int i = 0; i < Effort.of(10, 200); i++) {
            run(new MemoryStore(100, ticker), random);
          }
        });
  }

  @Test
  void ledgerInRedisIsNeverBelowTheTruth() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=20s"))) {
      Seeds.run(
          random -> {
            for (int i = 0; i < Effort.of(3, 50); i++) {
              run(store, random);
            }
          });
    }
  }

  private static void run(Store store, SplittableRandom random) throws Exception {
    long budget = 5_000L + random.nextInt(40_000);
    CostFixture fixture =
        new CostFixture(
            store,
            CostFixture.tokens(Limit.fixedWindow(budget, WINDOW)),
            CostFixture.rule("dollars", Limit.fixedWindow(10_000_000, WINDOW), DOLLARS, 1));
    Totals totals = new Totals();
    ExecutorService threads = Executors.newFixedThreadPool(STREAMS);
    try {
      CountDownLatch start = new CountDownLatch(STREAMS);
      List<Future<?>> streams = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        SimulatedProvider provider = new SimulatedProvider(fate(i), random.split());
        SplittableRandom own = random.split();
        streams.add(
            threads.submit(
                () -> {
                  start.countDown();
                  start.await();
                  stream(fixture, provider, own, totals);
                  return null;
                }));
      }
      for (Future<?> stream : streams) {
        stream.get();
      }
    } finally {
      threads.shutdownNow();
    }
    check(fixture, totals, budget);
  }

  /** Three of ten are aborted, and one of ten has no usage. */
  private static Fate fate(int stream) {
    return stream % 10 < 3 ? Fate.ABORTED : stream % 10 == 3 ? Fate.WITHOUT_USAGE : Fate.COMPLETE;
  }

  private static void stream(
      CostFixture fixture, SimulatedProvider provider, SplittableRandom random, Totals totals) {
    Optional<Settlement> granted = fixture.take(CostFixture.request(provider.body));
    if (granted.isEmpty()) {
      return;
    }
    Settlement settlement = granted.get();
    settlement.onHead(200, name -> List.of());
    provider.send(settlement::onBody);
    if (provider.fate == Fate.ABORTED) {
      settlement.onAborted();
    } else {
      settlement.onEnd();
    }
    // Events that come too late, as from the other side of the proxy.
    List<Runnable> late =
        List.of(settlement::onEnd, settlement::onAborted, settlement::onUpstreamFailed);
    late.get(random.nextInt(late.size())).run();
    totals.settled.add(settlement.settled().toCompletableFuture().join());
    totals.add(provider.billed());
    long tokens = totals.tokens.get();
    long dollars = totals.dollars.get();
    List<Long> used = fixture.used();
    assertThat(used.get(0)).as("tokens, while others run").isGreaterThanOrEqualTo(tokens);
    assertThat(used.get(1)).as("dollars, while others run").isGreaterThanOrEqualTo(dollars);
  }

  private static void check(CostFixture fixture, Totals totals, long budget) {
    List<Long> used = fixture.used();
    assertThat(totals.settled).as("requests that passed").isNotEmpty();
    assertThat(used.get(0)).as("tokens").isGreaterThanOrEqualTo(totals.tokens.get());
    assertThat(used.get(1)).as("dollars").isGreaterThanOrEqualTo(totals.dollars.get());
    // The counters hold exactly what was settled: nothing is counted twice or lost.
    for (int rule = 0; rule < used.size(); rule++) {
      int index = rule;
      long settled =
          totals.settled.stream()
              .map(one -> one.amounts().get(index))
              .mapToLong(Amount::actual)
              .sum();
      assertThat(used.get(rule)).as("rule " + rule).isEqualTo(settled);
    }
    assertThat(totals.tokens.get())
        .as("overspend")
        .isLessThanOrEqualTo(budget + totals.beyondReserved(0));
  }
}
