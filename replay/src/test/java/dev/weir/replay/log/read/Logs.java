package dev.weir.replay.log.read;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.LogSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads logs of tests to their end. */
final class Logs {
  final List<LogEntry> entries = new ArrayList<>();
  final long lines;
  final long bad;
  final long skipped;
  final long late;
  final List<String> reasons;
  final List<String> formats;

  private Logs(LogSource source) throws IOException {
    LogEntry entry = source.next();
    while (entry != null) {
      entries.add(entry);
      entry = source.next();
    }
    lines = source.progress().lines();
    bad = source.badLines().count();
    skipped = source.skippedLines();
    late = source.lateLines();
    formats = source.formats();
    reasons =
        source.badLines().examples().stream()
            .map(one -> one.file() + ":" + one.line() + ": " + one.reason())
            .toList();
  }

  static Logs read(ReadOptions options, Path... files) throws IOException {
    try (LogSource source = AccessLogs.open(List.of(files), options)) {
      return new Logs(source);
    }
  }

  static Logs read(ReadOptions options, byte[] input) throws IOException {
    ReadOptions withInput = options.withStandardInput(new ByteArrayInputStream(input));
    return read(withInput, Path.of("-"));
  }

  static Logs read(String text) throws IOException {
    return read(ReadOptions.defaults(), text.getBytes(StandardCharsets.ISO_8859_1));
  }

  LogEntry only() {
    if (entries.size() != 1) {
      throw new AssertionError(entries.size() + " entries; " + reasons);
    }
    return entries.get(0);
  }

  List<String> targets() {
    return entries.stream().map(LogEntry::target).toList();
  }
}
