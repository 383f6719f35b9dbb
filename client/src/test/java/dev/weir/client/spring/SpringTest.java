package dev.weir.client.spring;

import static dev.weir.client.ScriptedServer.answer;
import static dev.weir.client.ScriptedServer.denial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.client.ClientBuilder;
import dev.weir.client.EagerTimers;
import dev.weir.client.ManualTimers;
import dev.weir.client.ScriptedServer;
import dev.weir.client.dispatch.RequestNotSentException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.Disposable;

/** The adapters for Spring's clients against a real server. */
@Timeout(60)
class SpringTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final EagerTimers timers = new EagerTimers();

  private <C> C build(ClientBuilder<C> builder) {
    return builder.timers(timers).clock(timers).random(new Random(1)).build();
  }

  private RestClient restClient() {
    return RestClient.builder().requestInterceptor(build(WeirInterceptor.builder())).build();
  }

  private WebClient webClient() {
    return WebClient.builder().filter(build(WeirExchangeFilter.builder())).build();
  }

  @Test
  void restClientSendsADeniedRequestAgain() throws Exception {
    try (ScriptedServer server = new ScriptedServer(denial("3"))) {
      String body = restClient().get().uri(server.uri()).retrieve().body(String.class);
      assertThat(body).isEqualTo("status 200");
      assertThat(server.received()).containsExactly("GET", "GET");
      assertThat(timers.waits().get(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
    }
  }

  @Test
  void webClientSendsADeniedRequestAgain() throws Exception {
    try (ScriptedServer server = new ScriptedServer(denial("3"))) {
      String body =
          webClient().get().uri(server.uri()).retrieve().bodyToMono(String.class).block(LONG);
      assertThat(body).isEqualTo("status 200");
      assertThat(server.received()).containsExactly("GET", "GET");
      assertThat(timers.waits().get(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
    }
  }

  @Test
  void webClientDoesNotWaitForTheBodyOfADenialThatStalls() throws Exception {
    try (ScriptedServer server = new ScriptedServer(denial("3").thatStalls())) {
      String body =
          webClient().get().uri(server.uri()).retrieve().bodyToMono(String.class).block(LONG);
      assertThat(body).isEqualTo("status 200");
      assertThat(server.received()).containsExactly("GET", "GET");
    }
  }

  @Test
  void lastDenialIsTheResponse() throws Exception {
    try (ScriptedServer server = new ScriptedServer().otherwise(denial("1"))) {
      assertThatThrownBy(() -> restClient().get().uri(server.uri()).retrieve().body(String.class))
          .isInstanceOfSatisfying(
              HttpClientErrorException.TooManyRequests.class,
              e -> assertThat(e.getResponseBodyAsString()).isEqualTo("status 429"));
      assertThat(server.received()).hasSize(4);
      assertThatThrownBy(
              () ->
                  webClient()
                      .get()
                      .uri(server.uri())
                      .retrieve()
                      .bodyToMono(String.class)
                      .block(LONG))
          .isInstanceOfSatisfying(
              WebClientResponseException.TooManyRequests.class,
              e -> assertThat(e.getResponseBodyAsString()).isEqualTo("status 429"));
      assertThat(server.received()).hasSize(8);
    }
  }

  @Test
  void restClientSendsAPostOnceUnlessItHasAKey() throws Exception {
    try (ScriptedServer server = new ScriptedServer().otherwise(denial("1"))) {
      RestClient client = restClient();
      assertThatThrownBy(
              () -> client.post().uri(server.uri()).body("order").retrieve().toBodilessEntity())
          .isInstanceOf(HttpClientErrorException.TooManyRequests.class);
      assertThat(server.received()).containsExactly("POST order");
      assertThatThrownBy(
              () ->
                  client
                      .post()
                      .uri(server.uri())
                      .header("Idempotency-Key", "1")
                      .body("order")
                      .retrieve()
                      .toBodilessEntity())
          .isInstanceOf(HttpClientErrorException.TooManyRequests.class);
      assertThat(server.received()).hasSize(5).containsOnly("POST order");
    }
  }

  @Test
  void webClientSendsABodyOnceUnlessItIsRepeatable() throws Exception {
    try (ScriptedServer server = new ScriptedServer().otherwise(denial("1"))) {
      WebClient client = webClient();
      assertThatThrownBy(() -> put(client, server, false))
          .isInstanceOf(WebClientResponseException.TooManyRequests.class);
      assertThat(server.received()).containsExactly("PUT order");
      assertThatThrownBy(() -> put(client, server, true))
          .isInstanceOf(WebClientResponseException.TooManyRequests.class);
      assertThat(server.received()).hasSize(5).containsOnly("PUT order");
    }
  }

  private static void put(WebClient client, ScriptedServer server, boolean repeatable) {
    client
        .put()
        .uri(server.uri())
        .attribute(WeirExchangeFilter.REPEATABLE, repeatable)
        .bodyValue("order")
        .retrieve()
        .toBodilessEntity()
        .block(LONG);
  }

  @Test
  void requestThatIsNotSentFailsWithItsReason() throws Exception {
    ScriptedServer.Answer spent = answer(200).with("RateLimit", "\"api\";r=0;t=30");
    try (ScriptedServer server = new ScriptedServer().otherwise(spent)) {
      RestClient rest = restClient();
      assertThat(rest.get().uri(server.uri()).retrieve().body(String.class)).isNotNull();
      assertThatThrownBy(() -> rest.get().uri(server.uri()).retrieve().body(String.class))
          .isInstanceOf(ResourceAccessException.class)
          .hasCauseInstanceOf(RequestNotSentException.class);
      WebClient web = webClient();
      web.get().uri(server.uri()).retrieve().bodyToMono(String.class).block(LONG);
      assertThatThrownBy(
              () -> web.get().uri(server.uri()).retrieve().bodyToMono(String.class).block(LONG))
          .hasRootCauseInstanceOf(RequestNotSentException.class);
      assertThat(server.received()).hasSize(2);
    }
  }

  @Test
  void cancelledSubscriptionEndsTheWait() throws Exception {
    ManualTimers manual = new ManualTimers();
    try (ScriptedServer server = new ScriptedServer(denial("3"))) {
      WebClient client =
          WebClient.builder()
              .filter(WeirExchangeFilter.builder().timers(manual).clock(manual).build())
              .build();
      var scheduled = manual.nextTask();
      Disposable request =
          client.get().uri(server.uri()).retrieve().bodyToMono(String.class).subscribe();
      assertThat(scheduled.await(30, TimeUnit.SECONDS)).isTrue();
      while (manual.pending() == 0 && !Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
      request.dispose();
      while (manual.pending() > 0 && !Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
      assertThat(manual.pending()).isZero();
      manual.advance(Duration.ofMinutes(1));
      assertThat(server.received()).hasSize(1);
    }
  }

  @Test
  void failedConnectionIsRetried() throws Exception {
    try (ScriptedServer server = new ScriptedServer().otherwise(answer(0))) {
      assertThatThrownBy(
              () ->
                  webClient()
                      .get()
                      .uri(server.uri())
                      .retrieve()
                      .bodyToMono(String.class)
                      .block(LONG))
          .isInstanceOf(WebClientRequestException.class);
      assertThat(timers.waits()).hasSize(3);
      assertThatThrownBy(() -> restClient().get().uri(server.uri()).retrieve().body(String.class))
          .isInstanceOf(ResourceAccessException.class);
      assertThat(timers.waits()).hasSize(6);
    }
  }
}
