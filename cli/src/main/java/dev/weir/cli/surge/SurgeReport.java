package dev.weir.cli.surge;

import dev.weir.cli.load.Units;
import dev.weir.load.measure.Second;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Both runs as one HTML page, with plots over time, that needs nothing besides itself. */
final class SurgeReport {
  private static final String TEMPLATE = "report.html";
  private static final double MICROS_PER_MILLI = 1_000;

  private final SurgeComparison comparison;

  SurgeReport(SurgeComparison comparison) {
    this.comparison = comparison;
  }

  /** The page. */
  String html() throws IOException {
    SurgeSettings settings = comparison.settings();
    String offered = Units.count(settings.offeredPerSecond());
    String capacity = Units.count(settings.capacity().perSecond());
    String patience = settings.patience().toSeconds() + " s";
    return template()
        .replace("${title}", offered + " requests per second to a service for " + capacity)
        .replace(
            "${subtitle}",
            "The service has %d workers and a long queue; the more requests wait, the slower it is."
                    .formatted(settings.capacity().workers())
                + " Clients wait "
                + patience
                + "; they have at most "
                + Units.count(settings.maxConnections())
                + " connections.")
        .replace("${checks}", checks())
        .replace("${charts}", charts())
        .replace("${table}", table())
        .replace("${source}", Html.escaped(SurgeTable.SOURCE));
  }

  /** A power of ten, in milliseconds. */
  private static String latencyLabel(double millis) {
    long rounded = Math.round(millis);
    return rounded < 1_000 ? rounded + " ms" : rounded / 1_000 + " s";
  }

  private static String template() throws IOException {
    try (InputStream in = SurgeReport.class.getResourceAsStream(TEMPLATE)) {
      if (in == null) {
        throw new IOException(TEMPLATE + ": missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String checks() {
    StringBuilder list = new StringBuilder();
    for (SurgeChecks.Check check : SurgeChecks.of(comparison)) {
      String verdict = check.holds() ? "holds" : "short";
      list.append(
          "<li><span class=\"%s\">%s</span> %s: <b>%s</b></li>\n"
              .formatted(
                  verdict, verdict, Html.escaped(check.claim()), Html.escaped(check.measured())));
    }
    return list.toString();
  }

  private String table() {
    StringBuilder table = new StringBuilder();
    table.append(row("th", SurgeTable.COLUMNS));
    SurgeTable.rows(comparison).forEach(cells -> table.append(row("td", cells)));
    return table.toString();
  }

  private static String row(String tag, List<String> cells) {
    StringBuilder row = new StringBuilder("<tr>");
    for (String cell : cells) {
      row.append("<%s>%s</%s>".formatted(tag, Html.escaped(cell), tag));
    }
    return row.append("</tr>\n").toString();
  }

  /** Three rows of charts, bare and behind Weir beside each other, with the same scales. */
  private String charts() {
    List<Second> bare = comparison.bare().seconds();
    List<Second> limited = comparison.limited().seconds();
    return rates("Bare, requests per second", bare)
        + rates("Behind Weir, requests per second", limited)
        + useful("Bare, useful per second", bare)
        + useful("Behind Weir, useful per second", limited)
        + latencies("Bare, latency of admitted requests", bare)
        + latencies("Behind Weir, latency of admitted requests", limited);
  }

  private String rates(String title, List<Second> seconds) {
    double max =
        Math.max(max(Second::offered), Math.max(max(Second::limited), max(Second::failed)));
    SvgChart chart =
        SvgChart.linear(title, length(), max, value -> Units.count(Math.round(value)))
            .line("offered", "offered", values(seconds, Second::offered))
            .line("429", "limited", values(seconds, Second::limited))
            .line("failed", "failed", values(seconds, Second::failed))
            .line("useful", "useful", values(seconds, Second::useful));
    return finished(chart, seconds);
  }

  private String useful(String title, List<Second> seconds) {
    int capacity = comparison.settings().capacity().perSecond();
    double max = Math.max(capacity, max(Second::useful));
    SvgChart chart =
        SvgChart.linear(title, length(), max, value -> Units.count(Math.round(value)))
            .level("capacity", capacity)
            .line("useful", "useful", values(seconds, Second::useful));
    return finished(chart, seconds);
  }

  private String latencies(String title, List<Second> seconds) {
    double max = max(second -> second.admitted().p99Micros() / MICROS_PER_MILLI);
    SvgChart chart =
        SvgChart.logarithmic(title, length(), max, SurgeReport::latencyLabel)
            .line("p50", "p50", values(seconds, s -> millis(s, s.admitted().p50Micros())))
            .line("p99", "p99", values(seconds, s -> millis(s, s.admitted().p99Micros())));
    return finished(chart, seconds);
  }

  private String finished(SvgChart chart, List<Second> seconds) {
    chart.mark("surge", (int) comparison.settings().ordinary().toSeconds());
    for (Second second : seconds) {
      String text =
          "second %d: %s offered, %s useful, %s limited, %s shed, %s failed, p50 %s, p99 %s"
              .formatted(
                  second.index(),
                  Units.count(second.offered()),
                  Units.count(second.useful()),
                  Units.count(second.limited()),
                  Units.count(second.shed()),
                  Units.count(second.failed()),
                  Units.latency(second.admitted().p50Micros()),
                  Units.latency(second.admitted().p99Micros()));
      chart.hint(second.index(), text);
    }
    return chart.svg();
  }

  /** Seconds in which no request ended have no latency. */
  private static double millis(Second second, long micros) {
    return second.admitted().count() == 0 ? Double.NaN : micros / MICROS_PER_MILLI;
  }

  private static double[] values(List<Second> seconds, ToDoubleFunction<Second> value) {
    return seconds.stream().mapToDouble(value).toArray();
  }

  private int length() {
    return Math.max(comparison.bare().seconds().size(), comparison.limited().seconds().size());
  }

  private double max(ToDoubleFunction<Second> value) {
    double bare = comparison.bare().seconds().stream().mapToDouble(value).max().orElse(0);
    return comparison.limited().seconds().stream().mapToDouble(value).reduce(bare, Math::max);
  }
}
