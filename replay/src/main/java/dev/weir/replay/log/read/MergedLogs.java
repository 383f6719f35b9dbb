package dev.weir.replay.log.read;

import dev.weir.replay.log.BadLines;
import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.LogProgress;
import dev.weir.replay.log.LogSource;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The requests of several files in the order of their arrival; equal ones in that of files. */
final class MergedLogs implements LogSource {
  private final List<LogFeed> feeds;
  private final LineCounts counts;
  private final OptionalLong totalBytes;
  private final PriorityQueue<LogFeed> waiting;
  private @Nullable LogFeed current;

  MergedLogs(List<LogFeed> feeds, LineCounts counts) throws IOException {
    this.feeds = List.copyOf(feeds);
    this.counts = counts;
    this.totalBytes = total(feeds);
    Comparator<LogFeed> order = Comparator.comparingLong(LogFeed::key);
    waiting = new PriorityQueue<>(order.thenComparingInt(LogFeed::index));
    waiting.addAll(feeds);
  }

  private static OptionalLong total(List<LogFeed> feeds) throws IOException {
    long sum = 0;
    for (LogFeed feed : feeds) {
      OptionalLong size = feed.size();
      if (size.isEmpty()) {
        return size;
      }
      sum += size.getAsLong();
    }
    return OptionalLong.of(sum);
  }

  @Override
  public @Nullable LogEntry next() throws IOException {
    LogFeed last = current;
    if (last != null) {
      current = null;
      if (last.advance()) {
        if (waiting.isEmpty()) {
          current = last;
          return last.head();
        }
        waiting.add(last);
      }
    }
    while (true) {
      LogFeed first = waiting.poll();
      if (first == null) {
        return null;
      }
      LogEntry head = first.head();
      if (head != null) {
        current = first;
        return head;
      }
      if (first.advance()) {
        waiting.add(first);
      }
    }
  }

  @Override
  public LogProgress progress() {
    long bytes = 0;
    for (LogFeed feed : feeds) {
      bytes += feed.bytes();
    }
    return new LogProgress(counts.lines(), bytes, totalBytes);
  }

  @Override
  public BadLines badLines() {
    return counts.badLines();
  }

  @Override
  public long skippedLines() {
    return counts.skipped();
  }

  @Override
  public List<String> formats() {
    return feeds.stream().map(LogFeed::formatName).toList();
  }

  @Override
  public long lateLines() {
    return counts.late();
  }

  @Override
  public void close() throws IOException {
    for (LogFeed feed : feeds) {
      feed.close();
    }
  }
}
