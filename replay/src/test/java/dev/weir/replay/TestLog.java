package dev.weir.replay;

import dev.weir.key.KeySpace;
import dev.weir.replay.log.BadLines;
import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.LogProgress;
import dev.weir.replay.log.LogSource;
import dev.weir.replay.result.ReplayResult;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.yaml.RulesText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A log in memory, and short ways to replay it. */
public final class TestLog implements LogSource {
  /** A moment at which a day, an hour and a second begin. */
  public static final long START = 1_800_000_000_000_000L / 86_400_000_000L * 86_400_000_000L;

  private final Iterator<? extends LogEntry> entries;
  private long lines;

  private TestLog(Iterator<? extends LogEntry> entries) {
    this.entries = entries;
  }

  /** A log of these requests. */
  public static TestLog of(Iterable<? extends LogEntry> entries) {
    return new TestLog(entries.iterator());
  }

  /** Rules of a text. */
  public static NamedRules rules(String yaml) {
    KeySpace keys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
    byte[] bytes = yaml.getBytes(StandardCharsets.UTF_8);
    RulesText text = new RulesText("rules.yaml", Path.of("").toAbsolutePath(), bytes);
    try {
      return new NamedRules("rules.yaml", new RulesLoader(keys, Map.of()).load(List.of(text)));
    } catch (RulesRejected e) {
      throw new AssertionError(e.problems().toString(), e);
    }
  }

  /** The settings of tests. */
  public static ReplaySettings settings() {
    return ReplaySettings.of(List.of("access.log"));
  }

  /** Replays requests against rules. */
  public static ReplayResult replay(String yaml, Iterable<? extends LogEntry> entries) {
    return replay(yaml, Optional.empty(), entries, settings());
  }

  /** Replays requests against rules, and perhaps against others. */
  public static ReplayResult replay(
      String yaml,
      Optional<String> against,
      Iterable<? extends LogEntry> entries,
      ReplaySettings settings) {
    Optional<NamedRules> today =
        against.map(text -> new NamedRules("today.yaml", rules(text).rules()));
    try {
      return new Replay(rules(yaml), today, settings, ReplayListener.NONE).run(of(entries));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public @Nullable LogEntry next() {
    lines++;
    return entries.hasNext() ? entries.next() : null;
  }

  @Override
  public LogProgress progress() {
    return new LogProgress(lines, 0, OptionalLong.empty());
  }

  @Override
  public BadLines badLines() {
    return new BadLines(0, List.of());
  }

  @Override
  public void close() {}
}
