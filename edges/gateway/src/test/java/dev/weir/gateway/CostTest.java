package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Costs that the upstream states: estimated on the way in, settled on the way out. */
class CostTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static long remaining(HttpResponse<String> response) {
    return response.headers().firstValueAsLong("X-RateLimit-Remaining").orElse(-1);
  }

  @Test
  void headerStatesTheCostAndIsNotForTheClient() throws IOException {
    String rules =
        "rules: [{name: units, limit: 1000/hour, algorithm: fixed-window,"
            + " cost: {response-header: X-Cost, estimate: 10}}]\n";
    try (ScriptedUpstream upstream =
            ScriptedUpstream.that(
                (request, socket) ->
                    ScriptedUpstream.write(
                        socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Cost: 100\r\n\r\nok"));
        TestGateway gateway = TestGateway.to(rules, upstream.url())) {
      HttpResponse<String> first = gateway.get("/");
      assertThat(remaining(first)).as("the estimate").isEqualTo(990);
      assertThat(first.headers().map()).doesNotContainKey("x-cost");
      Await.until("the cost is settled", LIMIT, () -> remaining(gateway.get("/")) % 100 == 90);
      assertThat(remaining(gateway.get("/"))).isLessThan(900);
    }
  }

  @Test
  void tokensOfALanguageModel() throws IOException {
    String rules =
        """
        rules:
          - name: tokens
            match: {path: /v1/**}
            per: model
            limit: 100000/hour
            algorithm: fixed-window
            cost: {llm: tokens}
        lint-ignore: forgeable-key
        """;
    String answer =
        "{\"model\":\"m1\",\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":13}}";
    try (ScriptedUpstream upstream =
            ScriptedUpstream.that(
                (request, socket) ->
                    ScriptedUpstream.write(
                        socket,
                        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                            + answer.length()
                            + "\r\n\r\n"
                            + answer));
        TestGateway gateway = TestGateway.to(rules, upstream.url())) {
      String body = "{\"model\":\"m1\",\"max_tokens\":500,\"messages\":[]}";
      long estimate = 500L + (body.length() + 3) / 4;
      HttpResponse<String> first =
          gateway.send(
              gateway
                  .request("/v1/chat/completions")
                  .header("Accept-Encoding", "gzip")
                  .POST(BodyPublishers.ofString(body)));
      assertThat(first.body()).isEqualTo(answer);
      assertThat(remaining(first)).isBetween(100_000 - estimate - 1, 99_500L);
      assertThat(upstream.received.get(0).body()).isEqualTo(body);
      assertThat(upstream.received.get(0).has("Accept-Encoding")).isFalse();
      Await.until(
          "the usage is settled",
          LIMIT,
          () -> {
            HttpResponse<String> next =
                gateway.send(
                    gateway.request("/v1/chat/completions").POST(BodyPublishers.ofString(body)));
            return remaining(next) > 98_500;
          });
    }
  }

  @Test
  void streamIsAskedForItsUsage() throws IOException {
    String rules =
        "rules: [{name: tokens, match: {path: /v1/**}, limit: 100000/hour,"
            + " algorithm: fixed-window, cost: {llm: tokens}}]\n";
    String events =
        "data: {\"choices\":[{\"delta\":{\"content\":\"hello\"}}]}\n\n"
            + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":1}}\n\n"
            + "data: [DONE]\n\n";
    try (ScriptedUpstream upstream =
            ScriptedUpstream.that(
                (request, socket) ->
                    ScriptedUpstream.write(
                        socket,
                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                            + "Content-Length: "
                            + events.length()
                            + "\r\n\r\n"
                            + events));
        TestGateway gateway = TestGateway.to(rules, upstream.url())) {
      HttpResponse<String> response =
          gateway.send(
              gateway
                  .request("/v1/chat/completions")
                  .POST(BodyPublishers.ofString("{\"model\":\"m\",\"stream\":true}")));
      assertThat(response.body()).isEqualTo(events);
      assertThat(upstream.received.get(0).body())
          .contains("\"stream_options\"")
          .contains("\"include_usage\":true");
      assertThat(upstream.received.get(0).values("Content-Length"))
          .containsExactly(Integer.toString(upstream.received.get(0).body().length()));
    }
  }

  @Test
  void bodyThatIsTooLongIsPassedOnWhole() throws IOException {
    String rules =
        "rules: [{name: tokens, match: {path: /v1/**}, limit: 100000000/hour,"
            + " algorithm: fixed-window, cost: {llm: tokens}}]\n";
    try (ScriptedUpstream upstream =
            ScriptedUpstream.that(
                (request, socket) ->
                    ScriptedUpstream.write(
                        socket, ScriptedUpstream.ok(Integer.toString(request.body().length()))));
        TestGateway gateway = TestGateway.to(rules, upstream.url())) {
      int length = 3 << 20;
      HttpResponse<String> response =
          gateway.send(
              gateway
                  .request("/v1/chat/completions")
                  .POST(BodyPublishers.ofString("x".repeat(length))));
      assertThat(response.body()).isEqualTo(Integer.toString(length));
    }
  }
}
