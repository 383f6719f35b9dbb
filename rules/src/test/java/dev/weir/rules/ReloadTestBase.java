package dev.weir.rules;

import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Watches rules files on a manual clock, and records what is logged about them. */
public abstract class ReloadTestBase {
  public static final String BAD = "rules: [{name: bad, limit: x}]\n";

  public final List<LogRecord> logged = new ArrayList<>();
  private final Logger logger = Logger.getLogger(RulesRegistry.class.getName());
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
  private final List<RulesFileWatcher> watches = new ArrayList<>();

  public Path directory;
  public Path file;
  public volatile Instant now = Instant.parse("2025-01-01T00:00:00Z");
  private long touches;

  @SuppressWarnings("NullAway.Init")
  public ReloadTestBase() {}

  @BeforeEach
  void setUp(@TempDir Path temporary) throws IOException {
    directory = temporary;
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    file = directory.resolve("rules.yaml");
    write(file, rules("one"));
  }

  @AfterEach
  void tearDown() {
    watches.forEach(RulesFileWatcher::close);
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  public RulesFileWatcher watch(Path path) throws Exception {
    return watch(RuleFiles.at(path));
  }

  public RulesFileWatcher watch(RuleFiles files) throws Exception {
    RulesFileWatcher watch = new RulesFileWatcher(files, TestRules.loader(), () -> now);
    watches.add(watch);
    return watch;
  }

  public void settle(RulesFileWatcher watch) {
    watch.poll();
    advance(RulesFileWatcher.SETTLE);
    watch.poll();
  }

  public void advance(Duration time) {
    now = now.plus(time);
  }

  public void write(Path to, String text) throws IOException {
    Files.writeString(to, text);
    stamp(to);
  }

  /** Gives each write a different time, however fast the test is. */
  public void stamp(Path path) throws IOException {
    Files.setLastModifiedTime(
        path, FileTime.from(Instant.ofEpochSecond(1_700_000_000 + ++touches)));
  }

  /** The errors that were logged. */
  List<LogRecord> errors() {
    return logged.stream().filter(entry -> entry.getLevel().equals(Level.SEVERE)).toList();
  }

  /** The last message that was logged. */
  String lastMessage() {
    return new SimpleFormatter().formatMessage(logged.get(logged.size() - 1));
  }

  public static String rules(String... names) {
    StringBuilder yaml = new StringBuilder("lint-ignore: counted-twice\nrules:\n");
    for (String name : names) {
      yaml.append("  - {name: " + name + ", limit: 1/s}\n");
    }
    return yaml.toString();
  }

  public static List<String> names(RulesFileWatcher watch) {
    return watch.current().book().rules().stream().map(Object::toString).toList();
  }
}
