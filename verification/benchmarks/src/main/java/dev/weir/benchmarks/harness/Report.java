package dev.weir.benchmarks.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The printed result of a run, kept in a dated file with the command and the hardware. */
public final class Report {
  private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
  private final String name;
  private final List<String> lines = new ArrayList<>();
  private final List<String> claims = new ArrayList<>();
  private boolean allHold = true;

  /** Starts a report with the command and the hardware. */
  public Report(List<String> arguments) {
    this.name = arguments.get(0);
    line("# " + today + " `verification/benchmarks/run " + String.join(" ", arguments) + "`");
    line("");
    line(hardware());
    line("");
  }

  /** Prints a line and keeps it. */
  public void line(String line) {
    System.out.println(line);
    lines.add(line);
  }

  /** Adds a claim that holds if the measured value is at least {@code target}. */
  public void claimAtLeast(String claim, double target, double measured) {
    claim(claim, target, measured, measured >= target);
  }

  /** Adds a claim that holds if the measured value is at most {@code target}. */
  public void claimAtMost(String claim, double target, double measured) {
    claim(claim, target, measured, measured <= target);
  }

  private void claim(String claim, double target, double measured, boolean holds) {
    allHold &= holds;
    String verdict = holds ? "ok" : "short";
    claims.add(
        String.format(
            Locale.ROOT,
            "claim %s.%s target=%s measured=%s %s",
            name,
            claim,
            number(target),
            number(measured),
            verdict));
  }

  /** Prints the claims, writes the file, and returns whether all claims hold. */
  public boolean finish() throws IOException {
    line("");
    line("```");
    claims.forEach(this::line);
    line("```");
    Path folder = Path.of(System.getProperty("weir.results", "verification/benchmarks/results"));
    Files.createDirectories(folder);
    Files.write(folder.resolve(today + "-" + name + ".md"), lines);
    return allHold;
  }

  /** Formats with five digits, so that a target just missed does not look as if it were met. */
  private static String number(double value) {
    BigDecimal exact = new BigDecimal(value, new MathContext(5)).stripTrailingZeros();
    return exact.toPlainString();
  }

  private static String hardware() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return String.format(
        Locale.ROOT,
        "%s, %d cores, %d MiB heap at most, %s %s, Java %s (%s), load %.2f at start",
        processor(),
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() >> 20,
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        System.getProperty("java.version"),
        System.getProperty("java.vendor"),
        load);
  }

  private static String processor() {
    Path info = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(info)) {
      return "unknown processor";
    }
    try (Stream<String> cpu = Files.lines(info)) {
      return cpu.filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse("unknown processor");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
