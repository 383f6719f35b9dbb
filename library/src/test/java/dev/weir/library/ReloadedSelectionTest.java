package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.internal.RuleSelection;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.time.ManualTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limiters of some of the rules while the rules file changes. */
class ReloadedSelectionTest {
  private static final WebRequest REQUEST = WebRequest.of("GET", "/").from("192.0.2.1");

  private final Logger logger = Logger.getLogger(RuleSelection.class.getName());
  private final List<String> logged = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          logged.add(entry.getLevel() + " " + new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private final Weir weir = Weir.builder().ticker(new ManualTicker(1_800_000_000_000_000L)).build();
  @TempDir private Path folder = Path.of("");
  private int versions;

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void close() {
    weir.close();
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  @Test
  void lastRuleStaysWhenItDisappears() throws Exception {
    RulesLimiter rules = load("rules: [{name: a, limit: 2/hour}, {name: b, limit: 100/hour}]\n");
    RulesLimiter a = rules.only("a");
    replace(rules, "rules: [{name: b, limit: 100/hour}]\n");
    assertThat(a.check(REQUEST).allowed()).isTrue();
    replace(rules, "rules: [{name: b, limit: 200/hour}]\n");
    assertThat(a.check(REQUEST).allowed()).isTrue();
    assertThat(a.check(REQUEST).allowed()).isFalse();
    assertThat(logged)
        .containsExactly(
            "WARNING The active rules have no rule a any more; the last one stays in use (add it to"
                + " the rules again, or restart without the route that names it)");
    replace(rules, "rules: [{name: a, limit: 20/hour}]\n");
    assertThat(a.check(REQUEST).allowed()).as("it is back").isTrue();
    replace(rules, "rules: []\n");
    assertThat(a.check(REQUEST).allowed()).isTrue();
    assertThat(logged).as("gone again").hasSize(2);
  }

  @Test
  void namesThatComeLaterAreExceptedToo() throws Exception {
    RulesLimiter rules = load("rules: [{name: a, limit: 1/hour}, {name: b, limit: 1/hour}]\n");
    Set<String> names = ConcurrentHashMap.newKeySet();
    names.add("a");
    RulesLimiter others = rules.except(() -> names);
    assertThat(others.check(REQUEST).allowed()).isTrue();
    assertThat(others.check(REQUEST).allowed()).isFalse();
    names.add("b");
    assertThat(others.check(REQUEST).allowed()).as("no rule is left").isTrue();
    assertThat(logged).isEmpty();
  }

  private RulesLimiter load(String text) throws IOException {
    return weir.rules(Files.writeString(folder.resolve("rules.yaml"), text));
  }

  private void replace(RulesLimiter rules, String text) throws Exception {
    String before = rules.version();
    Path next = folder.resolve("next");
    Files.writeString(next, text + "# version " + ++versions + "\n");
    Files.move(next, folder.resolve("rules.yaml"), StandardCopyOption.ATOMIC_MOVE);
    Await.until("a new version", Duration.ofSeconds(60), () -> !rules.version().equals(before));
  }
}
