package dev.weir.benchmarks.replay;

import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Scenario;
import dev.weir.benchmarks.server.Cores;
import dev.weir.testkit.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Replays generated logs of a million callers against five rules, on one core; and runs a loop in
 * Python with one token bucket per caller over the same log, on the same core.
 */
public final class ReplayScenario implements Scenario {
  private static final int CALLERS = 1_000_000;
  private static final long LINES = 10_000_000;
  private static final int PER_SECOND = 10_000;
  private static final int ROUNDS = 3;
  private static final int HEAP_MIB = 512;
  private static final long FULL_BYTES = 5L << 30;

  /** What a child process measured. */
  private record Measured(long lines, long denied, double seconds, String rest) {
    double perSecond() {
      return lines / seconds;
    }
  }

  @Override
  public String about() {
    return "access logs against five rules on one core, beside a loop in Python";
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    Path folder = Files.createTempDirectory("weir-replay");
    Path log = folder.resolve("access.log");
    Path script = folder.resolve("token_buckets.py");
    try (InputStream in = ReplayScenario.class.getResourceAsStream("token_buckets.py")) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
      report.line(Cores.describe());
      report.line("Each run is a process of its own, with " + HEAP_MIB + " MiB of heap at most.");
      report.line("");
      measure(report, log, script);
      combined(report, log);
      if (options.full()) {
        full(report, log);
      }
    } finally {
      Files.deleteIfExists(log);
      Files.deleteIfExists(script);
      Files.deleteIfExists(folder);
    }
  }

  private static void measure(Report report, Path log, Path script)
      throws IOException, InterruptedException {
    new GeneratedLog(CALLERS).write(log, LINES, PER_SECOND, true);
    boolean python = Programs.find("python3").isPresent();
    report.line("Log in milliseconds, " + LINES + " lines, " + (Files.size(log) >> 20) + " MiB:");
    report.line("");
    report.line("| | lines/s | denied | callers, seconds, live heap MiB |");
    report.line("|---|---|---|---|");
    double best = 0;
    double bestPython = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Measured weir = replay(log, "nginx");
      best = Math.max(best, weir.perSecond());
      row(report, "weir replay, five rules", weir);
      if (python) {
        Measured loop = python(script, log);
        bestPython = Math.max(bestPython, loop.perSecond());
        row(report, "Python, one token bucket per caller", loop);
      }
    }
    report.line("");
    if (python) {
      String times = String.format(Locale.ROOT, "%.2f", best / bestPython);
      report.line(
          "weir replay is " + times + " times as fast, with five rules and all statistics.");
    } else {
      report.line("There is no python3 here: nothing to compare with.");
    }
    report.claimAtLeast("lines-per-second", 500_000, best);
  }

  private static void combined(Report report, Path log) throws IOException, InterruptedException {
    new GeneratedLog(CALLERS).write(log, LINES / 5, PER_SECOND, false);
    report.line("");
    report.line("Log in combined format, which has seconds: three spreads, so three decisions:");
    report.line("");
    report.line("| | lines/s | denied | callers, seconds, live heap MiB |");
    report.line("|---|---|---|---|");
    row(report, "weir replay, five rules, three spreads", replay(log, "combined"));
  }

  private static void full(Report report, Path log) throws IOException, InterruptedException {
    long bytesPerLine = Files.size(log) / (LINES / 5);
    new GeneratedLog(CALLERS).write(log, FULL_BYTES / bytesPerLine, PER_SECOND, true);
    report.line("");
    report.line("Log in milliseconds, " + (Files.size(log) >> 20) + " MiB:");
    report.line("");
    report.line("| | lines/s | denied | callers, seconds, live heap MiB |");
    report.line("|---|---|---|---|");
    Measured all = replay(log, "nginx");
    row(report, "weir replay, five rules", all);
    report.claimAtLeast("full-mebibytes", FULL_BYTES >> 20, (double) (Files.size(log) >> 20));
    String heap = all.rest.substring(all.rest.lastIndexOf(' ') + 1);
    report.claimAtMost("full-live-heap-mib", HEAP_MIB, Double.parseDouble(heap));
  }

  private static void row(Report report, String name, Measured measured) {
    report.line(
        String.format(
            Locale.ROOT,
            "| %s | %.0f | %d | %s |",
            name,
            measured.perSecond(),
            measured.denied,
            measured.rest));
  }

  private static Measured replay(Path log, String format) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(Cores.forContestant());
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("-Xmx" + HEAP_MIB + "m"); // and what else the script starts weir replay with
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:NewRatio=1", "-XX:+UseTransparentHugePages"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ReplayTask.class.getName(), log.toString(), format));
    String[] words = output(command).split(" ", -1);
    String rest = words[2] + " " + words[3] + " " + words[4];
    return new Measured(
        Long.parseLong(words[0]), Long.parseLong(words[1]), Double.parseDouble(words[3]), rest);
  }

  private static Measured python(Path script, Path log) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(Cores.forContestant());
    command.addAll(List.of("python3", script.toString(), log.toString(), "10", "20"));
    String[] words = output(command).split(" ", -1);
    return new Measured(
        Long.parseLong(words[0]), Long.parseLong(words[1]), Double.parseDouble(words[2]), "");
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      String line = out.readLine();
      if (process.waitFor() != 0 || line == null) {
        throw new IllegalStateException(command + ": exit code " + process.exitValue());
      }
      return line;
    }
  }
}
