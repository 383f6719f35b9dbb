package dev.weir.cli.load;

import static dev.weir.cli.CommandRun.valueAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.load.service.Capacity;
import dev.weir.load.service.RideService;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadCommandTest {
  @TempDir private Path directory = Path.of("");

  private RideService service = unstarted();
  private String url = "";

  @SuppressWarnings("NullAway") // the tests begin after the start
  private static RideService unstarted() {
    return null;
  }

  @BeforeEach
  void startService() throws IOException {
    service = RideService.start(0, Capacity.of(800));
    url = "http://127.0.0.1:" + service.port();
  }

  @AfterEach
  void stopService() {
    service.close();
  }

  @Test
  void tableShowsWhatBecameOfTheRequests() {
    CommandRun run =
        CommandRun.weir(
            "load", url + "/healthz", "--rate", 50, "--seconds", 1, "--arrivals", "constant");
    run.assertHarmless();
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .startsWith(url + "/healthz: open loop, 50 requests per second, constant, 1 s\n\n")
        .containsPattern("due +49 +100.0 % +49\n")
        .containsPattern("ok +49 +100.0 % +49\n")
        .containsPattern(" status 200 +49 ")
        .containsPattern("latency +mean +p50 +p95 +p99 +max\n")
        .containsPattern("admitted( +[0-9.]+ m?s){5}\n")
        .doesNotContain("limited");
  }

  @Test
  void usersSendTheMixAndTheDocumentSaysSo() throws IOException {
    Path mix =
        Files.writeString(
            directory.resolve("mix.yaml"),
            """
            requests:
              - {weight: 1, method: POST, path: /api/rides/request, body: '{}'}
              - {weight: 1, path: /nothing}
            """);
    Path hdr = directory.resolve("out.hgrm");
    CommandRun run =
        CommandRun.weir(
            "load",
            url,
            "--users",
            5,
            "--think-millis",
            20,
            "--seconds",
            1,
            "--mix",
            mix,
            "--hdr",
            hdr,
            "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    Object json = new JsonObject(run.out()).getMap();
    long ok = Long.parseLong(valueAt(json, "outcomes", "ok"));
    long error = Long.parseLong(valueAt(json, "outcomes", "error"));
    assertThat(ok).isPositive();
    assertThat(error).isPositive();
    assertThat(valueAt(json, "requests")).isEqualTo(String.valueOf(ok + error));
    assertThat(valueAt(json, "statuses", "404")).isEqualTo(String.valueOf(error));
    assertThat(valueAt(json, "outcomes", "notSent")).isEqualTo("0");
    assertThat(valueAt(json, "seconds", 0, "second")).isEqualTo("0");
    assertThat(hdr).content().contains("Percentile", "#[Mean ");
  }

  @Test
  void requestsOfAnAccessLogAreSent() throws IOException {
    String line = "203.0.113.7 - - [18/Nov/2026:08:00:00 +0000] \"GET %s HTTP/1.1\" 200 1\n";
    Path log =
        Files.writeString(
            directory.resolve("access.log"), line.formatted("/healthz") + line.formatted("/no"));
    CommandRun run =
        CommandRun.weir(
            "load",
            url,
            "--access-log",
            log,
            "--in-order",
            "--rate",
            21,
            "--seconds",
            1,
            "--arrivals",
            "constant");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).containsPattern("status 200 +10 ").containsPattern("status 404 +10 ");
  }

  @Test
  void otherMachinesNeedAFlag() {
    assertThat(usageError("http://203.0.113.7:80"))
        .isEqualTo(
            "weir load: URL: http://203.0.113.7:80 (expected: an address of this machine;"
                + " --allow-remote permits others)");
  }

  @Test
  void errorsNameTheFlag() throws IOException {
    assertThat(usageError("127.0.0.1:80"))
        .contains("URL: 127.0.0.1:80 (expected: a URL such as http://127.0.0.1:8080)");
    assertThat(usageError(url, "--rate", "0")).contains("--rate: 0 (expected: a whole number");
    assertThat(usageError(url, "--seconds", "x")).contains("--seconds: x (expected: ");
    assertThat(usageError(url, "--rate", "5", "--users", "5"))
        .contains("--rate: 5 (expected: --rate or --users, not both)");
    assertThat(usageError(url, "--think-millis", "5"))
        .contains("--think-millis: 5 (expected: --users beside it)");
    assertThat(usageError(url, "--arrivals", "bursts"))
        .contains("--arrivals: bursts (expected: poisson or constant)");
    assertThat(usageError(url, "--users", "9", "--max-in-flight", "8"))
        .contains("--max-in-flight: 8 (expected: at least as many as --users, which are 9)");
    assertThat(usageError(url, "--in-order")).contains("(expected: --access-log beside it)");
  }

  private static String usageError(Object... arguments) {
    Object[] words = new Object[arguments.length + 1];
    words[0] = "load";
    System.arraycopy(arguments, 0, words, 1, arguments.length);
    CommandRun run = CommandRun.weir(words).assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).endsWith("\nTry 'weir load --help'.\n");
    return run.err().lines().findFirst().orElseThrow();
  }

  @Test
  void unusableFilesAreReportedInOneLine() throws IOException {
    Path mix = Files.writeString(directory.resolve("mix.yaml"), "requests:\n  - {pth: /}\n");
    CommandRun wrong = CommandRun.weir("load", url, "--mix", mix);
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).startsWith("weir: " + mix + ":2:6: key: pth (expected: one of ");
    CommandRun missing = CommandRun.weir("load", url, "--access-log", directory.resolve("none"));
    assertThat(missing.exit()).isEqualTo(2);
    assertThat(missing.err()).startsWith("weir: --access-log: ").contains("no such file");
  }

  @Test
  void serverThatDoesNotListenIsReportedBeforeTheRun() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    CommandRun run = CommandRun.weir("load", "http://127.0.0.1:" + port, "--seconds", 1);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains(": cannot connect (is a server running there?)\n");
  }
}
