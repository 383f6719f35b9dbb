package dev.weir.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Ports;
import dev.weir.testkit.Programs;
import dev.weir.testkit.redis.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A real Prometheus that scrapes servers and evaluates the alerts, on a scaled time. */
final class PrometheusServer implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newHttpClient();
  private final ChildProcess process;
  private final String url;

  private PrometheusServer(ChildProcess process, String url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts the program, and waits until it answers.
   *
   * @param jobs the addresses of the targets of each job
   */
  static PrometheusServer start(Path folder, TimeScale scale, Map<String, List<String>> jobs)
      throws IOException {
    Path program = Programs.require("prometheus");
    Files.writeString(folder.resolve("alerts.yaml"), scale.scaled(Files.readString(Alerts.RULES)));
    Files.writeString(folder.resolve("prometheus.yaml"), configuration(scale, jobs));
    String address = "127.0.0.1:" + Ports.free();
    ChildProcess process =
        ChildProcess.start(
            folder.resolve("prometheus.log"),
            List.of(
                program.toString(),
                "--config.file=" + folder.resolve("prometheus.yaml"),
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=" + address,
                "--query.lookback-delta=" + TimeScale.text(scale.lookback()),
                "--log.level=warn"));
    PrometheusServer server = new PrometheusServer(process, "http://" + address);
    try {
      Await.until("ready Prometheus", START, server::isReady);
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw new IllegalStateException(e.getMessage() + "\n" + process.output(), e);
    }
  }

  private static String configuration(TimeScale scale, Map<String, List<String>> jobs) {
    StringBuilder yaml = new StringBuilder("global:\n");
    String interval = TimeScale.text(scale.interval());
    for (String name : List.of("scrape_interval", "scrape_timeout", "evaluation_interval")) {
      yaml.append("  ").append(name).append(": ").append(interval).append('\n');
    }
    yaml.append("rule_files: [alerts.yaml]\nscrape_configs:\n");
    jobs.forEach(
        (job, targets) ->
            yaml.append("  - {job_name: ")
                .append(job)
                .append(", static_configs: [{targets: ['")
                .append(String.join("', '", targets))
                .append("']}]}\n"));
    return yaml.toString();
  }

  private boolean isReady() {
    return process.isAlive() && get("/-/ready").statusCode() == 200;
  }

  private HttpResponse<String> get(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(60)).build();
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private JsonObject api(String path) {
    HttpResponse<String> response = get("/api/v1/" + path);
    JsonObject body = new JsonObject(response.body());
    assertThat(body.getString("status")).as(path + ": " + response.body()).isEqualTo("success");
    return body;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static List<JsonObject> result(JsonObject answer) {
    return Board.objects(answer.getJsonObject("data").getJsonArray("result"));
  }

  /** The series of an expression now; fails if Prometheus reports an error. */
  List<JsonObject> query(String expression) {
    return result(api("query?query=" + encoded(expression)));
  }

  /** The series of an expression in a range of time; fails if Prometheus reports an error. */
  List<JsonObject> query(String expression, Instant from, Instant to, Duration step) {
    String range =
        "&start="
            + from.getEpochSecond()
            + "&end="
            + to.getEpochSecond()
            + "&step="
            + TimeScale.text(step);
    return result(api("query_range?query=" + encoded(expression) + range));
  }

  /** The values of a label in the series of a metric. */
  JsonArray labelValues(String label, String metric) {
    return api("label/" + label + "/values?match[]=" + encoded(metric).replace("[]", "%5B%5D"))
        .getJsonArray("data");
  }

  /** The alerts that fire or are pending, with labels and annotations. */
  List<JsonObject> alerts() {
    return Board.objects(api("alerts").getJsonObject("data").getJsonArray("alerts"));
  }

  /** Whether all alerts have been evaluated after this moment. */
  boolean hasEvaluatedAfter(Instant moment) {
    return Board.objects(api("rules").getJsonObject("data").getJsonArray("groups")).stream()
        .allMatch(group -> Instant.parse(group.getString("lastEvaluation")).isAfter(moment));
  }

  @Override
  public void close() {
    process.close();
  }
}
