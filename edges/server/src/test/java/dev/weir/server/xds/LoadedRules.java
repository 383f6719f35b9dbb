package dev.weir.server.xds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.key.KeySpace;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRegistry;
import dev.weir.rules.domain.DomainRule;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** An xDS source under test, the rules it has activated, and the warnings it has logged. */
final class LoadedRules implements AutoCloseable {
  static final XdsSettings.Retries QUICK_RETRIES = retries(Duration.ofSeconds(30));

  /** Retries with a short keepalive interval. */
  static final XdsSettings.Retries SHORT_KEEPALIVE = retries(Duration.ofSeconds(1));

  private static XdsSettings.Retries retries(Duration silence) {
    return new XdsSettings.Retries(
        Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(200), 0.5, silence);
  }

  private static final long SEED = new Random().nextLong();

  final RulesRegistry board =
      new RulesRegistry(new RulesLoader(KeySpace.random(), Map.of()), InstantSource.system());
  final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
  private final Logger logger = Logger.getLogger(XdsSource.class.getName());
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          if (entry.getLevel().equals(Level.WARNING)) {
            warnings.add(new SimpleFormatter().formatMessage(entry));
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private final XdsSource source;

  LoadedRules(XdsSettings settings) {
    logger.addHandler(handler);
    System.out.println("seed of delays: " + SEED);
    source = XdsSource.start(settings, board.addSource("xds"), new Random(SEED));
  }

  static LoadedRules from(ManagementServer server) {
    return new LoadedRules(XdsSettings.at(server.address()).withRetries(QUICK_RETRIES));
  }

  /** The active limits, by path. */
  List<String> limits() {
    return board.current().rules().domains().rules().stream().map(LoadedRules::format).toList();
  }

  private static String format(DomainRule rule) {
    DomainRule.Rate rate = rule.rate();
    return rule.path()
        + (rate == null ? " unlimited" : " " + rate.requestsPerUnit() + " " + rate.unit());
  }

  void awaitLimits(String... limits) throws InterruptedException {
    await(() -> limits().equals(List.of(limits)));
  }

  static void await(BooleanSupplier condition) throws InterruptedException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
      Thread.sleep(5);
    }
  }

  @Override
  public void close() {
    source.close();
    board.close();
    logger.removeHandler(handler);
  }
}
