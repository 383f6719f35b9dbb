package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.internal.CallBook;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.time.ManualTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limiters of {@code calls} while the rules file changes. */
class ReloadedCallsTest {
  private final Logger logger = Logger.getLogger(CallBook.class.getName());
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

  private RulesLimiter load(String text) throws IOException {
    return weir.rules(Files.writeString(folder.resolve("rules.yaml"), text));
  }

  private void replace(RulesLimiter rules, String text) throws Exception {
    String before = rules.version();
    // Replaced as a whole: half a file is never read.
    Path next = folder.resolve("next");
    Files.writeString(next, text + "# version " + ++versions + "\n");
    Files.move(next, folder.resolve("rules.yaml"), StandardCopyOption.ATOMIC_MOVE);
    Await.until("a new version", Duration.ofSeconds(60), () -> !rules.version().equals(before));
  }

  @Test
  void limiterFollowsTheFileAndKeepsItsCounters() throws Exception {
    RulesLimiter rules = load("calls: [{name: a, limit: 5/hour}, {name: b, limit: 5/hour}]\n");
    RateLimiter a = rules.limiter("a");
    RateLimiter b = rules.limiter("b");
    RateLimiter costly = a.cost(3);
    a.tryAcquire("acme");
    b.tryAcquire("acme");
    replace(
        rules,
        "calls: [{name: b, limit: 5/hour}, {name: a, limit: 10/hour}, {name: c, limit: 1/s}]\n");
    assertThat(b.peek("acme").remaining()).as("unchanged").isEqualTo(4);
    assertThat(a.tryAcquire("new").remaining()).isEqualTo(9);
    assertThat(costly.tryAcquire("new").remaining()).isEqualTo(6);
    assertThat(a.peek("acme").remaining()).as("what is spent stays spent").isBetween(4L, 9L);
    assertThat(rules.limiter("a")).isSameAs(a);
    assertThat(rules.limiter("c").tryAcquire("acme").allowed()).isTrue();
    assertThat(logged).isEmpty();
  }

  @Test
  void lastLimitsStayWhenTheNameDisappears() throws Exception {
    RulesLimiter rules = load("calls: [{name: a, limit: 2/hour}, {name: b, limit: 1/s}]\n");
    RateLimiter a = rules.limiter("a");
    a.tryAcquire("acme");
    replace(rules, "calls: [{name: b, limit: 1/s}]\n");
    assertThat(logged).as("nobody has asked").isEmpty();
    assertThat(a.tryAcquire("acme").allowed()).isTrue();
    assertThat(a.tryAcquire("acme").allowed()).isFalse();
    replace(rules, "calls: [{name: b, limit: 2/s}]\n");
    assertThat(a.tryAcquire("acme").allowed()).isFalse();
    assertThat(logged)
        .containsExactly(
            "WARNING The active rules have no call a any more; its last limits stay in use (add it"
                + " to the rules again, or restart without the code that asks for it)");
    replace(rules, "calls: [{name: a, limit: 7/hour}]\n");
    assertThat(a.tryAcquire("new").remaining()).as("it is back").isEqualTo(6);
    replace(rules, "calls: [{name: b, limit: 2/s}]\n");
    assertThat(a.tryAcquire("new").remaining()).isEqualTo(5);
    assertThat(logged).as("gone again").hasSize(2);
  }

  @Test
  void lastLimitsStayWhenTheKindChanges() throws Exception {
    RulesLimiter rules = load("calls: [{name: a, limit: 2/hour}, {name: b, concurrent: 1}]\n");
    RateLimiter a = rules.limiter("a");
    ConcurrencyLimiter b = rules.concurrency("b");
    for (int i = 0; i < 2; i++) {
      replace(rules, "calls: [{name: a, concurrent: 1}, {name: b, limit: 5/s}]\n");
      assertThat(a.tryAcquire("acme").allowed()).isTrue();
      Permit held = b.tryEnter("acme").orElseThrow();
      assertThat(b.tryEnter("acme")).isEmpty();
      held.close();
    }
    assertThat(a.tryAcquire("acme").allowed()).isFalse();
    assertThat(logged)
        .containsExactly(
            "WARNING The active rules have a call a of another kind; its last limits stay in use"
                + " (restart with code that asks for it by concurrency)",
            "WARNING The active rules have a call b of another kind; its last limits stay in use"
                + " (restart with code that asks for it by limiter)");
  }

  @Test
  void waitingCallerIsServedByTheNewLimit() throws Exception {
    RulesLimiter rules = load("calls: [{name: b, concurrent: 1}]\n");
    ConcurrencyLimiter b = rules.concurrency("b");
    Permit first = b.tryEnter("acme").orElseThrow();
    var waiting = b.enterAsync("acme", Duration.ofMinutes(5));
    var another = b.enterAsync("acme", Duration.ofMinutes(5));
    replace(rules, "calls: [{name: b, concurrent: 2}]\n");
    first.close(); // the head asks again
    Permit second = waiting.get(30, TimeUnit.SECONDS);
    Permit third = another.get(30, TimeUnit.SECONDS);
    assertThat(b.tryEnter("acme")).isEmpty();
    second.close();
    third.close();
    assertThat(b.tryEnter("acme")).isPresent();
  }
}
