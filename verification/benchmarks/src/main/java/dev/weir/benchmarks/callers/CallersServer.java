package dev.weir.benchmarks.callers;

import dev.weir.benchmarks.http.CallerKeys;
import dev.weir.benchmarks.server.ServerProcess;
import dev.weir.benchmarks.server.Tools;
import dev.weir.testkit.Ports;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code ./weir serve}, as its users start it, with rules that count each caller by itself. */
record CallersServer(ServerProcess process, int port, int adminPort) implements AutoCloseable {
  private static final String COMMAND = "./weir";

  /** More than all counters of all callers. */
  private static final int MAX_KEYS = 2_500_000;

  private static final int BATCH = 100;

  /** One rule that nobody reaches, and one that denies who comes too often. */
  private static final String RULES =
      """
      trusted-proxies: [127.0.0.1/32]
      identity: {key: header X-API-Key}
      lint-ignore: forgeable-key
      rules:
        - {name: daily, per: key, limit: 1000000/day}
        - {name: rides, match: {path: "/api/rides/**"}, per: key, limit: 3/day}
      """;

  /** Builds the command if sources are newer, so that no measurement waits for it. */
  static void build() throws IOException, InterruptedException {
    if (!Tools.run(List.of(COMMAND, "--version"))) {
      throw new IllegalStateException(COMMAND + " does not run");
    }
  }

  static CallersServer start() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("callers");
    Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
    int port = Ports.free();
    int adminPort = Ports.free();
    List<String> command =
        List.of(
            COMMAND,
            "serve",
            "--rules",
            rules.toString(),
            "--max-keys",
            Integer.toString(MAX_KEYS),
            "--port",
            Integer.toString(port),
            "--grpc-port",
            Integer.toString(Ports.free()),
            "--admin-port",
            Integer.toString(adminPort));
    ServerProcess process =
        ServerProcess.start(
            List.of(),
            command,
            Map.of("WEIR_JAVA_OPTS", "-Xms1g -Xmx1g"),
            directory.resolve("serve.log"));
    process.await("http://127.0.0.1:" + adminPort + "/readyz");
    return new CallersServer(process, port, adminPort);
  }

  /** The id of the process: the command becomes the server. */
  long pid() {
    return process.pids().get(0);
  }

  /** Charges each caller one permit of each rule, which no list of callers counts. */
  void charge(int callers) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (int first = 0; first < callers; first += BATCH) {
      JsonArray requests = new JsonArray();
      for (int caller = first; caller < first + BATCH; caller++) {
        JsonObject values =
            new JsonObject()
                .put("method", "POST")
                .put("path", "/api/rides/request")
                .put("header x-api-key", CallerKeys.of(caller));
        requests.add(new JsonObject().put("operation", "charge").put("values", values));
      }
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/v1/decide"))
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(new JsonObject().put("requests", requests).encode()))
              .build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IllegalStateException(response.statusCode() + " " + response.body());
      }
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
