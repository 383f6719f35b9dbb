package dev.weir.benchmarks.callers;

import dev.weir.benchmarks.harness.Report;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is alive on the heap of a process after a collection.
 *
 * @param bytes by class
 */
record LiveHeap(Map<String, Long> bytes) {
  private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+).*");
  private static final int SHOWN = 12;

  /** Objects that wait for a finalizer or a cleaner survive the first collection. */
  private static final int COLLECTIONS = 3;

  /** Collects garbage, and counts what is left. */
  static LiveHeap of(long pid) throws IOException {
    LiveHeap heap = count(pid);
    for (int i = 1; i < COLLECTIONS; i++) {
      heap = count(pid);
    }
    return heap;
  }

  private static LiveHeap count(long pid) throws IOException {
    Process jcmd =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/jcmd",
                Long.toString(pid),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    Map<String, Long> bytes = new HashMap<>();
    StringBuilder output = new StringBuilder();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(jcmd.getInputStream(), StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.append(line).append('\n');
        Matcher matcher = LINE.matcher(line);
        if (matcher.matches()) {
          bytes.merge(matcher.group(2), Long.parseLong(matcher.group(1)), Long::sum);
        }
      }
    }
    if (bytes.isEmpty()) {
      throw new IllegalStateException("jcmd " + pid + " GC.class_histogram: " + output);
    }
    return new LiveHeap(bytes);
  }

  /** What has been added since. */
  Growth since(LiveHeap before) {
    Map<String, Long> more = new HashMap<>(bytes);
    before.bytes.forEach((type, was) -> more.merge(type, -was, Long::sum));
    return new Growth(before.total(), more);
  }

  private long total() {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * How a heap has grown.
   *
   * @param before its bytes before
   * @param bytes more or less of each class
   */
  record Growth(long before, Map<String, Long> bytes) {
    double mebibytes() {
      return mebibytes(bytes.values().stream().mapToLong(Long::longValue).sum());
    }

    private static double mebibytes(long bytes) {
      return bytes / 1048576d;
    }

    void describe(Report report) {
      report.line(
          String.format(
              Locale.ROOT,
              "- live heap %.1f MiB with the counters of all callers, and then %.2f MiB more",
              mebibytes(before),
              mebibytes()));
      report.line("");
      report.line("| heap | KiB more |");
      report.line("|---|---|");
      List<Map.Entry<String, Long>> largest =
          bytes.entrySet().stream()
              .sorted(Comparator.comparingLong(one -> -Math.abs(one.getValue())))
              .limit(SHOWN)
              .toList();
      for (Map.Entry<String, Long> one : largest) {
        report.line(
            String.format(Locale.ROOT, "| `%s` | %d |", one.getKey(), one.getValue() >> 10));
      }
    }
  }
}
