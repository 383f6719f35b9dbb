package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.book.Match;
import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hundred reloads, of four kinds, while four threads decide and one polls the files. The name of
 * every rule contains its version and its number; the names reveal a decision by half of a version,
 * or by two versions.
 *
 * <p>Files and threads are real. The clock that files settle by is manual, because a busy machine
 * may stretch any pause between two halves of a write.
 */
class ReloadUnderLoadTest {
  private static final Logger LOG = Logger.getLogger(RulesRegistry.class.getName());
  private static final int RULES = 12;
  private static final int SWAPS_OF_EACH_KIND = 25;

  /** Two writes within one tick have the same time; settled versions must have different ones. */
  private static final long FILE_SYSTEM_TICK_MILLIS = 12;

  @TempDir Path directory;
  private volatile Instant now = Instant.EPOCH;

  @SuppressWarnings("NullAway.Init")
  ReloadUnderLoadTest() {}

  /** Replaces the rules by another version. */
  private interface Swap {
    void to(int version) throws IOException;
  }

  @Test
  @Timeout(300)
  void partialWriteIsNeverLoaded() throws Exception {
    Path file = directory.resolve("rules.yaml");
    run(
        file,
        version -> {
          String text = rules(version, 0, RULES);
          Files.writeString(file, text.substring(0, text.length() / 2));
          halfSettled();
          String rest = text.substring(text.length() / 2);
          Files.writeString(file, rest, StandardOpenOption.APPEND);
        });
  }

  @Test
  @Timeout(300)
  void atomicRenameIsLoadedCompletely() throws Exception {
    Path file = directory.resolve("rules.yaml");
    run(
        file,
        version -> {
          Path fresh = directory.resolve("fresh");
          Files.writeString(fresh, rules(version, 0, RULES));
          Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        });
  }

  @Test
  @Timeout(300)
  void twoFilesOfADirectoryAreNeverMixed() throws Exception {
    run(
        directory,
        version -> {
          Files.writeString(directory.resolve("a.yaml"), rules(version, 0, RULES / 2));
          halfSettled();
          Files.writeString(directory.resolve("b.yaml"), rules(version, RULES / 2, RULES));
        });
  }

  @Test
  @Timeout(300)
  void switchedLinkOfAConfigMapIsLoadedCompletely() throws Exception {
    ConfigMap map = new ConfigMap(directory);
    run(directory, version -> map.swap(rules(version, 0, RULES)));
  }

  /** Leaves the files unchanged long enough to be polled, but not long enough to settle. */
  private void halfSettled() {
    pause(2);
    now = now.plus(RulesFileWatcher.SETTLE.dividedBy(2));
    pause(2);
  }

  private void run(Path path, Swap swap) throws Exception {
    LOG.setLevel(Level.SEVERE); // dozens of rules come and go
    swap.to(0);
    InstantSource clock = () -> now;
    MemoryStore store = new MemoryStore();
    Set<Integer> seen = ConcurrentHashMap.newKeySet();
    AtomicLong decisions = new AtomicLong();
    AtomicBoolean over = new AtomicBoolean();
    var threads = Executors.newFixedThreadPool(5);
    try (RulesFileWatcher watch =
        new RulesFileWatcher(RuleFiles.at(path), TestRules.loader(), clock)) {
      List<Future<?>> running = new ArrayList<>();
      running.add(
          threads.submit(
              () -> {
                while (!over.get()) {
                  watch.poll();
                  pause(1);
                }
                return null;
              }));
      for (int i = 0; i < 4; i++) {
        running.add(
            threads.submit(
                () -> {
                  while (!over.get()) {
                    seen.add(decide(watch, store));
                    decisions.incrementAndGet();
                  }
                  return null;
                }));
      }
      for (int version = 1; version <= SWAPS_OF_EACH_KIND; version++) {
        pause(FILE_SYSTEM_TICK_MILLIS);
        swap.to(version);
        while (!seen.contains(version)) {
          failEarly(running);
          now = now.plus(RulesFileWatcher.SETTLE);
          pause(1);
        }
      }
      over.set(true);
      for (Future<?> one : running) {
        one.get(60, TimeUnit.SECONDS);
      }
      assertThat(watch.status().refusals()).as(watch.status().toString()).isZero();
      assertThat(watch.status().reloads()).isEqualTo(SWAPS_OF_EACH_KIND);
    } finally {
      LOG.setLevel(null);
      over.set(true);
      threads.shutdownNow();
    }
    assertThat(seen).as("each version has decided").hasSizeGreaterThanOrEqualTo(SWAPS_OF_EACH_KIND);
    assertThat(decisions.get()).isGreaterThan(1_000);
  }

  /** Decides on a request; returns the version of the rules that decided. */
  private static int decide(RulesFileWatcher watch, MemoryStore store) {
    Match match = watch.current().match(FakeRequest.get("/"), 0);
    Decision decision = store.take(match.claims());
    List<String> names = match.charges().stream().map(charge -> charge.rule().name()).toList();
    int version = Integer.parseInt(names.get(0).substring(1, names.get(0).indexOf('-')));
    List<String> whole = new ArrayList<>();
    for (int i = 0; i < RULES; i++) {
      whole.add("v" + version + "-r" + i);
    }
    assertThat(names).isEqualTo(whole);
    assertThat(match.claims()).allMatch(claim -> claim.limit().permits() == 1_000_000 + version);
    assertThat(decision.each()).hasSize(RULES);
    return version;
  }

  private static void failEarly(List<Future<?>> running) throws Exception {
    for (Future<?> one : running) {
      if (one.isDone()) {
        one.get();
      }
    }
  }

  private static String rules(int version, int from, int to) {
    StringBuilder yaml = new StringBuilder("rules:\n");
    for (int i = from; i < to; i++) {
      String limit = (1_000_000 + version) + "/" + (i + 1) + " seconds";
      yaml.append("  - {name: v" + version + "-r" + i + ", per: ip, limit: " + limit + "}\n");
    }
    return yaml.toString();
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
