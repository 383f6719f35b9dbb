package dev.weir.server.xds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.domain.DomainRule;
import dev.weir.key.KeySpace;
import dev.weir.yaml.RuleBoard;
import dev.weir.yaml.RulesLoader;
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

/** A source of a test, what it has put in force, and what it said about that. */
final class Taken implements AutoCloseable {
  static final XdsSettings.Retries SOON = missing(Duration.ofSeconds(30));

  /** The same for a test about servers that fall silent, and soon. */
  static final XdsSettings.Retries HASTY = missing(Duration.ofSeconds(1));

  private static XdsSettings.Retries missing(Duration silence) {
    return new XdsSettings.Retries(
        Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(200), 0.5, silence);
  }

  private static final long SEED = new Random().nextLong();

  final RuleBoard board =
      new RuleBoard(new RulesLoader(KeySpace.random(), Map.of()), InstantSource.system());
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

  Taken(XdsSettings settings) {
    logger.addHandler(handler);
    System.out.println("seed of pauses: " + SEED);
    source = XdsSource.start(settings, board.origin("xds"), new Random(SEED));
  }

  static Taken from(ManagementServer server) {
    return new Taken(XdsSettings.at(server.address()).withRetries(SOON));
  }

  /** The limits in force, by where they apply. */
  List<String> limits() {
    return board.current().rules().domains().rules().stream().map(Taken::told).toList();
  }

  private static String told(DomainRule rule) {
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
