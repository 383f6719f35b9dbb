package dev.weir.replay.log.read;

import dev.weir.replay.log.BadLines;
import java.util.ArrayList;
import java.util.List;

/** What became of lines that are no requests; keeps the first bad ones. For one thread. */
final class LineCounts {
  static final int MAX_EXAMPLES = 20;

  private final List<BadLines.Example> examples = new ArrayList<>();
  private long lines;
  private long bad;
  private long skipped;
  private long late;

  void onLine() {
    lines++;
  }

  void onSkipped() {
    skipped++;
  }

  void onLate() {
    late++;
  }

  /** Whether the next bad line is kept, so that it is worth describing. */
  boolean wantsExample() {
    return examples.size() < MAX_EXAMPLES;
  }

  void onBad(String file, long line, String reason) {
    bad++;
    if (wantsExample()) {
      examples.add(new BadLines.Example(file, line, reason));
    }
  }

  long lines() {
    return lines;
  }

  long skipped() {
    return skipped;
  }

  long late() {
    return late;
  }

  BadLines badLines() {
    return new BadLines(bad, List.copyOf(examples));
  }
}
