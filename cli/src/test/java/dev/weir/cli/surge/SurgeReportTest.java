package dev.weir.cli.surge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class SurgeReportTest {
  @Test
  void pageNeedsNothingBesidesItself() throws IOException {
    String html = new SurgeReport(Results.good()).html();
    assertThat(html)
        .doesNotContain("http://", "https://", "<script", "<link", "@import", "url(", "src=", "${")
        .contains("prefers-color-scheme: dark", "12,000 requests per second to a service for 800");
  }

  @Test
  void pageHasChecksChartsAndTable() throws IOException {
    String html = new SurgeReport(Results.good()).html();
    assertThat(html.split("<svg ", -1)).as("three charts for each run").hasSize(7);
    assertThat(html.split("<span class=\"holds\">", -1)).hasSize(7);
    assertThat(html)
        .doesNotContain("<span class=\"short\">")
        .contains("<td>useful per second</td><td>100</td><td>760</td>")
        .contains("<td>admitted: p99</td><td>10.0 s</td><td>60.0 ms</td><td>39.0 s</td>")
        .contains("<title>second 1: 12,000 offered, 760 useful, 11,240 limited, 0 shed, 0 failed");
  }

  @Test
  void shortLinesAreMarked() throws IOException {
    SurgeComparison same = Results.comparison(Results.protectedRun(), Results.protectedRun());
    assertThat(new SurgeReport(same).html()).contains("<span class=\"short\">short</span> bare: ");
  }

  @Test
  void chartsAreWellFormed() throws Exception {
    double[] values = {1, Double.NaN, 30, 5};
    String svg =
        SvgChart.logarithmic("a < b & \"c\"", 4, 30, tick -> tick + " ms")
            .line("p50", "p50", values)
            .level("capacity", 20)
            .mark("surge", 1)
            .hint(2, "<second>")
            .svg();
    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(document.getDocumentElement().getAttribute("aria-label")).isEqualTo("a < b & \"c\"");
    assertThat(svg)
        .as("a gap begins a new line")
        .containsPattern("d=\"M[0-9. ]+M[0-9. ]+L[0-9. ]+\"");
  }

  @Test
  void scalesEndAtRoundNumbers() {
    assertThat(SvgChart.roundUp(12_160)).isEqualTo(20_000);
    assertThat(SvgChart.roundUp(800)).isEqualTo(800);
    assertThat(SvgChart.roundUp(801)).isEqualTo(1_000);
    assertThat(SvgChart.roundUp(0)).isEqualTo(1);
  }

  @Test
  void textHasTheTablesSideBySideAndTheVerdict() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Terminal out = new Terminal(new PrintStream(bytes, true, StandardCharsets.UTF_8), false);
    assertThat(new SurgeText(out).print(Results.good())).isTrue();
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .startsWith("12,000 requests per second to a service for 800, for 1 s; ")
        .containsPattern("bare +behind Weir +published: bare +published: limited\n")
        .containsPattern("requests +2,100 +12,000 +37,880 +37,880\n")
        .containsPattern("admitted: failures +95.2 % +0 % +19.3 % +0.1 %\n")
        .containsPattern("429 +0 +11,240 \\(93.7 %\\) +0 +25,437 \\(67.2 %\\)\n")
        .containsPattern("useful per second +100 +760 ")
        .contains("  ok     behind Weir: a 429 takes at most 3 ms on average: 1.00 ms");
  }

  @Test
  void ordinaryTimeIsBeforeTheSurge() {
    SurgeRun run = Results.protectedRun();
    assertThat(run.seconds().get(0).offered()).isEqualTo(400);
    assertThat(run.seconds().get(1).offered()).isEqualTo(12_000);
    assertThat(run.seconds().stream().map(second -> second.index()).toList())
        .startsWith(0, 1)
        .isEqualTo(List.copyOf(run.seconds().stream().map(s -> run.seconds().indexOf(s)).toList()));
  }
}
