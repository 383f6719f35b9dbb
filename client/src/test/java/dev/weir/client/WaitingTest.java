package dev.weir.client;

import static dev.weir.client.ScriptedServer.answer;
import static dev.weir.client.ScriptedServer.denial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.client.ScriptedServer.Answer;
import dev.weir.client.dispatch.RequestNotSentException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits of the client for its turn, and how they end, against a real server. */
@Timeout(60)
class WaitingTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final EagerTimers timers = new EagerTimers();

  private ClientBuilder<WeirClient> builder() {
    return WeirClient.around(HTTP).timers(timers).clock(timers).random(new Random(1));
  }

  private static HttpRequest get(ScriptedServer server) {
    return HttpRequest.newBuilder(server.uri()).build();
  }

  private static int status(WeirClient client, HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString()).statusCode();
  }

  @Test
  void requestIsNotSentIntoAnAdvertisedDenial() throws Exception {
    Answer last = answer(200).with("RateLimit", "\"api\";r=0;t=30");
    try (ScriptedServer server = new ScriptedServer(last)) {
      WeirClient client = builder().build();
      assertThat(status(client, get(server))).isEqualTo(200);
      assertThatThrownBy(() -> status(client, get(server)))
          .isInstanceOfSatisfying(
              RequestNotSentException.class,
              e -> {
                assertThat(e.reason()).isEqualTo(RequestNotSentException.Reason.LIMIT);
                assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(30));
              })
          .hasMessageStartingWith("request not sent: the limit of http://127.0.0.1:")
          .hasMessageEndingWith(" leaves no room for it for 30000 ms");
      assertThat(server.received()).hasSize(1);
    }
  }

  @Test
  void requestWaitsForTheAdvertisedMoment() throws Exception {
    Answer last = answer(200).with("RateLimit", "\"api\";r=0;t=6");
    try (ScriptedServer server = new ScriptedServer(last)) {
      WeirClient client = builder().build();
      assertThat(status(client, get(server))).isEqualTo(200);
      assertThat(status(client, get(server))).isEqualTo(200);
      assertThat(timers.waits()).containsExactly(Duration.ofSeconds(6));
    }
  }

  @Test
  void cancellingEndsTheWait() throws Exception {
    ManualTimers manual = new ManualTimers();
    try (ScriptedServer server = new ScriptedServer(denial("3"))) {
      WeirClient client = WeirClient.around(HTTP).timers(manual).clock(manual).build();
      var scheduled = manual.nextTask();
      CompletableFuture<HttpResponse<String>> response =
          client.sendAsync(get(server), BodyHandlers.ofString());
      assertThat(scheduled.await(30, TimeUnit.SECONDS)).isTrue();
      while (manual.pending() == 0 && !Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
      assertThat(response.cancel(true)).isTrue();
      // Whichever came first: the cancel, or the end of the first response.
      while (manual.pending() > 0 && !Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
      assertThat(manual.pending()).isZero();
      manual.advance(Duration.ofMinutes(1));
      assertThat(server.received()).hasSize(1);
    }
  }

  @Test
  void requestThatEndsOtherwiseGivesUpItsTurn() throws Exception {
    ManualTimers manual = new ManualTimers();
    Answer spent = answer(200).with("RateLimit", "\"api\";r=0;t=5");
    try (ScriptedServer server = new ScriptedServer(spent)) {
      WeirClient client =
          WeirClient.around(HTTP).timers(manual).clock(manual).maxWaiting(1).build();
      assertThat(status(client, get(server))).isEqualTo(200);
      var timedOut = client.sendAsync(get(server), BodyHandlers.ofString());
      assertThat(timedOut.completeExceptionally(new TimeoutException())).isTrue();
      // Only one may wait.
      var next = client.sendAsync(get(server), BodyHandlers.ofString());
      assertThat(next).isNotDone();
      manual.advance(Duration.ofSeconds(6));
      assertThat(next.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      assertThat(server.received()).hasSize(2);
    }
  }

  @Test
  void denialWhoseBodyStallsIsSentAgain() throws Exception {
    try (ScriptedServer server = new ScriptedServer(denial("3").thatStalls())) {
      assertThat(status(builder().build(), get(server))).isEqualTo(200);
      assertThat(server.received()).hasSize(2);
    }
  }

  @Test
  void denialHoldsBackOnlyRequestsOfItsScope() throws Exception {
    ManualTimers manual = new ManualTimers();
    Answer spent = answer(200).with("RateLimit", "\"search\";r=0;t=5");
    try (ScriptedServer server = new ScriptedServer(spent)) {
      WeirClient client =
          WeirClient.around(HTTP).timers(manual).clock(manual).scope(URI::getPath).build();
      HttpRequest search = HttpRequest.newBuilder(server.uri().resolve("/search")).build();
      HttpRequest orders = HttpRequest.newBuilder(server.uri().resolve("/orders")).build();
      assertThat(status(client, search)).isEqualTo(200);
      var held = client.sendAsync(search, BodyHandlers.ofString());
      assertThat(status(client, orders)).isEqualTo(200);
      assertThat(held).isNotDone();
      assertThatThrownBy(() -> status(client.withDeadline(Duration.ofSeconds(1)), search))
          .hasMessageEndingWith("/search leaves no room for it for 5000 ms");
    }
  }

  @Test
  void interruptedSenderStopsWaiting() throws Exception {
    ManualTimers manual = new ManualTimers();
    try (ScriptedServer server = new ScriptedServer(denial("3"))) {
      WeirClient client = WeirClient.around(HTTP).timers(manual).clock(manual).build();
      var scheduled = manual.nextTask();
      CompletableFuture<Throwable> failure = new CompletableFuture<>();
      Thread sender =
          new Thread(
              () -> {
                try {
                  status(client, get(server));
                } catch (Exception e) {
                  failure.complete(e);
                }
              });
      sender.start();
      assertThat(scheduled.await(30, TimeUnit.SECONDS)).isTrue();
      sender.interrupt();
      assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void manyRequestsAtOnceAllEnd() throws Exception {
    try (ScriptedServer server = new ScriptedServer()) {
      WeirClient client = builder().pacing(false).build();
      List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        all.add(client.sendAsync(get(server), BodyHandlers.ofString()));
      }
      for (CompletableFuture<HttpResponse<String>> one : all) {
        assertThat(one.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      }
      assertThat(server.received()).hasSize(200);
    }
  }

  @Test
  void wrongSettingsAreRejectedWithWhatIsExpected() {
    assertThatThrownBy(() -> builder().attempts(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("attempts: 0 (expected: between 1 and 100)");
    assertThatThrownBy(() -> builder().deadline(Duration.ZERO).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("deadline: PT0S (expected: between PT0.001S and PT24H)");
    assertThatThrownBy(() -> builder().retryBudget(101, 1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("retry budget percent: 101 (expected: between 0 and 100)");
    assertThatThrownBy(() -> builder().build().withDeadline(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("deadline: PT0S (expected: more than 0, at most PT24H)");
  }
}
