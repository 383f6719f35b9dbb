package dev.weir.replay.log.read;

import dev.weir.replay.log.LogSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Opens access logs. */
public final class AccessLogs {
  /** So many files are open at the same time, as long as all of them are wanted. */
  private static final int MAX_OPEN = 16;

  private AccessLogs() {}

  /**
   * Opens logs, which may be compressed by gzip or zstd, and finds out their formats.
   *
   * @param files to be merged; {@code -} is standard input
   * @throws IOException if a file cannot be read, or is of another format than given, or of none
   *     that is known; with its name and what it looks like
   */
  public static LogSource open(List<Path> files, ReadOptions options) throws IOException {
    LineCounts counts = new LineCounts();
    List<LogFeed> feeds = new ArrayList<>();
    try {
      for (Path file : files) {
        LogFeed feed = new LogFeed(file, feeds.size(), options, counts);
        feeds.add(feed);
        feed.probe();
        if (files.size() > MAX_OPEN) {
          feed.suspend();
        }
      }
      return new MergedLogs(feeds, counts);
    } catch (IOException e) {
      for (LogFeed feed : feeds) {
        feed.close();
      }
      throw e;
    }
  }
}
