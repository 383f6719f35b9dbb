package dev.weir.yaml;

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

/** Files that are watched on a clock that only the test moves, and what is logged about them. */
abstract class Reloading {
  static final String BAD = "rules: [{name: bad, limit: x}]\n";

  final List<LogRecord> logged = new ArrayList<>();
  private final Logger logger = Logger.getLogger(RuleBoard.class.getName());
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
  private final List<RulesWatch> watches = new ArrayList<>();

  Path directory;
  Path file;
  volatile Instant now = Instant.parse("2025-01-01T00:00:00Z");
  private long touches;

  @SuppressWarnings("NullAway.Init")
  Reloading() {}

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
    watches.forEach(RulesWatch::close);
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  RulesWatch watch(Path path) throws Exception {
    return watch(RuleFiles.at(path));
  }

  RulesWatch watch(RuleFiles files) throws Exception {
    RulesWatch watch = new RulesWatch(files, TestRules.loader(), () -> now);
    watches.add(watch);
    return watch;
  }

  void settle(RulesWatch watch) {
    watch.poll();
    pass(RulesWatch.SETTLE);
    watch.poll();
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  void write(Path to, String text) throws IOException {
    Files.writeString(to, text);
    stamp(to);
  }

  /** Gives each write a time of its own, however fast the test is. */
  void stamp(Path path) throws IOException {
    Files.setLastModifiedTime(
        path, FileTime.from(Instant.ofEpochSecond(1_700_000_000 + ++touches)));
  }

  /** The errors that were logged. */
  List<LogRecord> errors() {
    return logged.stream().filter(entry -> entry.getLevel().equals(Level.SEVERE)).toList();
  }

  /** What was logged last. */
  String lastWords() {
    return new SimpleFormatter().formatMessage(logged.get(logged.size() - 1));
  }

  static String rules(String... names) {
    StringBuilder yaml = new StringBuilder("lint-ignore: counted-twice\nrules:\n");
    for (String name : names) {
      yaml.append("  - {name: " + name + ", limit: 1/s}\n");
    }
    return yaml.toString();
  }

  static List<String> names(RulesWatch watch) {
    return watch.current().book().rules().stream().map(Object::toString).toList();
  }
}
