package dev.weir.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.yaml.RulesText;
import dev.weir.server.access.Operator;
import dev.weir.server.access.Operator.Role;
import dev.weir.server.action.CallerHash;
import dev.weir.server.audit.AuditLog;
import dev.weir.server.reply.AuditedActions;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code /reset} of a caller whose identity the server remembers. */
class ResetByHashTest {
  private static final String RULES =
      """
      identity: {key: header X-Key}
      lint-ignore: [forgeable-key]
      rules:
        - {name: login, match: {path: /login}, per: key, limit: 3/day, algorithm: fixed-window}
        - {name: search, match: {path: /search}, per: key, limit: 5/day, algorithm: fixed-window}
        - {name: address, match: {path: /login}, per: ip, limit: 9/day, algorithm: fixed-window}
      """;

  private static final Operator ANN = new Operator("Ann", Role.OPERATOR, "192.0.2.1");

  private static Descriptor request(String path) {
    return Descriptor.of(Map.of("path", path, "header x-key", "acme", "ip", "192.0.2.1"));
  }

  @Test
  void everyCounterOfTheCallerBeginsAnewWhateverItAskedFor() throws Exception {
    KeySpace keys = KeySpace.random();
    RulesSnapshot rules =
        RulesSnapshot.of(
            new RulesLoader(keys, Map.of()).load(List.of(RulesText.of("rules.yaml", RULES))));
    Limiter limiter = new Limiter(new MemoryStore(), (rule, outcome, subject) -> {});
    for (String path : List.of("/login", "/search")) {
      limiter.take(rules.book().match(request(path))).join();
    }
    List<String> acme = List.of("header x-key", "acme");
    long hash = keys.owner("header x-key", "acme").hash();
    ResetEdge edge =
        new ResetEdge(
            () -> rules,
            limiter,
            new AuditedActions(AuditLog.toServiceLog(InstantSource.system())),
            asked -> asked == hash ? Optional.of(acme) : Optional.empty());
    Vertx vertx = Vertx.vertx();
    try {
      HttpServer server =
          vertx
              .createHttpServer()
              .requestHandler(asked -> asked.bodyHandler(body -> edge.handle(asked, ANN, body)))
              .listen(0, "127.0.0.1")
              .await();
      JsonObject done =
          new JsonObject(
              post(server.actualPort(), "{\"caller\": \"" + CallerHash.text(hash) + "\"}"));
      assertThat(done.getInteger("reset")).isEqualTo(2);
      assertThat(done.getInteger("left")).isZero();
      assertThat(done.getJsonArray("counters").getJsonObject(0).getString("rule"))
          .isEqualTo("login");
      assertThat(remaining(limiter, rules, "/login")).containsExactly(3L, 8L);
      assertThat(remaining(limiter, rules, "/search")).containsExactly(5L);
      String other = post(server.actualPort(), "{\"caller\": \"" + CallerHash.text(~hash) + "\"}");
      assertThat(new JsonObject(other).getInteger("status")).isEqualTo(404);
    } finally {
      vertx.close().await();
    }
  }

  private static List<Long> remaining(Limiter limiter, RulesSnapshot rules, String path) {
    return limiter.peek(rules.book().match(request(path))).join().each().stream()
        .map(one -> one.remaining())
        .toList();
  }

  private static String post(int port, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/reset"))
            .POST(BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    return response.body();
  }
}
