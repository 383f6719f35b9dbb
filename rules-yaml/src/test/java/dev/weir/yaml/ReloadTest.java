package dev.weir.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules that change while they are in force, on a clock that only the test moves. */
class ReloadTest {
  private static final String BAD = "rules: [{name: bad, limit: x}]\n";

  private Path directory;
  private Path file;
  private Instant now = Instant.parse("2025-01-01T00:00:00Z");
  private long touches;
  private final List<LogRecord> logged = new ArrayList<>();
  private final Logger logger = Logger.getLogger(RulesWatch.class.getName());
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          logged.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @SuppressWarnings("NullAway.Init")
  ReloadTest() {}

  @BeforeEach
  void begin(@TempDir Path temporary) throws IOException {
    directory = temporary;
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    file = directory.resolve("rules.yaml");
    write(file, rules("one"));
  }

  @AfterEach
  void end() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  @Test
  void aFileIsReadOnceItHasSettled() throws Exception {
    RulesWatch watch = watch(file);
    write(file, rules("two"));
    watch.poll();
    assertThat(names(watch)).containsExactly("one");
    pass(RulesWatch.SETTLE.minusMillis(1));
    watch.poll();
    assertThat(names(watch)).containsExactly("one");
    pass(Duration.ofMillis(1));
    watch.poll();
    assertThat(names(watch)).containsExactly("two");
    assertThat(watch.status().reloads()).isEqualTo(1);
    assertThat(watch.status().since()).isEqualTo(now);
    assertThat(watch.status().version()).isEqualTo(watch.current().version());
  }

  @Test
  void aFileWrittenInTwoHalvesIsNeverSeenHalf() throws Exception {
    RulesWatch watch = watch(file);
    write(file, "rules:\n  - {name: two-a, limit: 1/s}\n");
    for (int i = 0; i < 3; i++) {
      watch.poll();
      pass(RulesWatch.SETTLE.dividedBy(4));
    }
    Files.writeString(file, "  - {name: two-b, limit: 1/s}\n", StandardOpenOption.APPEND);
    stamp(file);
    watch.poll();
    pass(RulesWatch.SETTLE.dividedBy(2));
    watch.poll();
    assertThat(names(watch)).as("the second half begins to settle anew").containsExactly("one");
    settle(watch);
    assertThat(names(watch)).containsExactly("two-a", "two-b");
    assertThat(watch.status().refusals()).isZero();
  }

  @Test
  void aFileRenamedIntoPlaceIsTakenOn() throws Exception {
    RulesWatch watch = watch(file);
    Path fresh = directory.resolve("rules.yaml.new");
    write(fresh, rules("two"));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
  }

  @Test
  void twoFilesOfADirectoryChangeTogether() throws Exception {
    Path other = directory.resolve("other.yaml");
    write(other, rules("other-one"));
    RulesWatch watch = watch(directory);
    assertThat(names(watch)).containsExactly("other-one", "one");
    write(file, rules("two"));
    watch.poll();
    pass(RulesWatch.SETTLE.minusMillis(1));
    write(other, rules("other-two"));
    watch.poll();
    pass(Duration.ofMillis(1));
    watch.poll();
    assertThat(names(watch)).containsExactly("other-one", "one");
    settle(watch);
    assertThat(names(watch)).containsExactly("other-two", "two");
    assertThat(watch.status().reloads()).isEqualTo(1);
    Files.delete(other);
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
  }

  @Test
  void aConfigMapIsSwappedByItsLink() throws Exception {
    Path mount = Files.createDirectory(directory.resolve("mount"));
    ConfigMap map = new ConfigMap(mount);
    map.swap(rules("one"));
    RulesWatch byDirectory = watch(mount);
    RulesWatch byFile = watch(mount.resolve("rules.yaml"));
    map.swap(rules("two"));
    settle(byDirectory);
    settle(byFile);
    assertThat(names(byDirectory)).containsExactly("two");
    assertThat(names(byFile)).containsExactly("two");
    map.swap(rules("six"));
    settle(byDirectory);
    assertThat(names(byDirectory)).as("of the same length").containsExactly("six");
  }

  @Test
  void aFileThatIsOnlyTouchedIsNoNews() throws Exception {
    RulesWatch watch = watch(file);
    LiveRules before = watch.current();
    stamp(file);
    settle(watch);
    assertThat(watch.current()).isSameAs(before);
    assertThat(watch.status().reloads()).isZero();
    assertThat(logged).isEmpty();
  }

  @Test
  void aBadVersionChangesNothingAndIsReportedOnce() throws Exception {
    RulesWatch watch = watch(file);
    LiveRules before = watch.current();
    write(file, BAD);
    for (int i = 0; i < 10; i++) {
      settle(watch);
    }
    assertThat(watch.current()).isSameAs(before);
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(watch.status().version()).isEqualTo(before.version());
    assertThat(watch.status().problems())
        .singleElement()
        .asString()
        .startsWith(file + ":1:28: limit: x (expected: permits per window");
    assertThat(logged).singleElement().extracting(LogRecord::getLevel).isEqualTo(Level.SEVERE);
    write(file, rules("two"));
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
    assertThat(watch.status().problems()).isEmpty();
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(logged).last().extracting(LogRecord::getLevel).isEqualTo(Level.INFO);
  }

  @Test
  void aBadVersionThatIsTakenBackIsForgotten() throws Exception {
    RulesWatch watch = watch(file);
    write(file, BAD);
    settle(watch);
    write(file, rules("one"));
    settle(watch);
    assertThat(watch.status().problems()).isEmpty();
    assertThat(watch.status().reloads()).isZero();
  }

  @Test
  void aFileThatIsGoneIsReportedOnceAndMayComeBack() throws Exception {
    RulesWatch watch = watch(file);
    Files.delete(file);
    for (int i = 0; i < 5; i++) {
      settle(watch);
    }
    assertThat(names(watch)).containsExactly("one");
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(watch.status().problems())
        .singleElement()
        .asString()
        .startsWith(file + ": cannot be read");
    assertThat(logged).hasSize(1);
    write(file, rules("one"));
    settle(watch);
    assertThat(watch.status().problems()).isEmpty();
    write(file, rules("two"));
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
  }

  @Test
  void aFileThatIsGoneForAMomentIsNoNewsHoweverOften() throws Exception {
    RulesWatch watch = watch(file);
    for (int i = 0; i < 3; i++) {
      Path away = Files.move(file, directory.resolve("away"));
      watch.poll();
      Files.move(away, file);
      watch.poll();
      pass(Duration.ofHours(1));
    }
    assertThat(watch.status().refusals()).isZero();
    assertThat(logged).isEmpty();
  }

  @Test
  void whatIsSpentStaysSpentAcrossAReload() throws Exception {
    MemoryStore store = new MemoryStore(1_000, () -> 1_000_000_000_000_000L);
    write(file, "rules: [{name: a, per: ip, limit: 10/hour}]");
    RulesWatch watch = watch(file);
    FakeRequest request = FakeRequest.get("/");
    for (int i = 0; i < 4; i++) {
      assertThat(store.take(watch.current().match(request, 0).claims()).allowed()).isTrue();
    }
    write(file, "rules: [{name: other, limit: 9/s}, {name: a, per: ip, limit: 7/hour}]");
    settle(watch);
    int granted = 0;
    while (store.take(watch.current().match(request, 0).claims()).allowed()) {
      granted++;
    }
    assertThat(granted).as("7 less the 4 that were spent under 10").isEqualTo(3);
    write(file, "rules: [{name: renamed, per: ip, limit: 7/hour}]");
    settle(watch);
    assertThat(store.take(watch.current().match(request, 0).claims()).allowed())
        .as("another name is another counter")
        .isTrue();
  }

  @Test
  void metersOfReadingOutliveAReloadOfTheSameSettings() throws Exception {
    RulesWatch watch = watch(file);
    var meters = watch.current().reader().meters();
    write(file, rules("two"));
    settle(watch);
    assertThat(watch.current().reader().meters()).isSameAs(meters);
  }

  private RulesWatch watch(Path path) throws Exception {
    return new RulesWatch(RuleFiles.at(path), TestRules.loader(), () -> now, null);
  }

  private void settle(RulesWatch watch) {
    watch.poll();
    pass(RulesWatch.SETTLE);
    watch.poll();
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private void write(Path to, String text) throws IOException {
    Files.writeString(to, text);
    stamp(to);
  }

  /** Gives each write a time of its own, however fast the test is. */
  private void stamp(Path path) throws IOException {
    Files.setLastModifiedTime(
        path, FileTime.from(Instant.ofEpochSecond(1_700_000_000 + ++touches)));
  }

  private static String rules(String name) {
    return "rules: [{name: " + name + ", limit: 1/s}]\n";
  }

  private static List<String> names(RulesWatch watch) {
    return watch.current().book().rules().stream().map(Object::toString).toList();
  }
}
