package dev.weir.client.dispatch;

import dev.weir.client.ManualTimers;
import dev.weir.client.dispatch.Call.Repeatable;
import java.net.URI;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Clients of one server, on virtual time: each has requests to send at random moments. */
final class Crowd {
  private static final URI SERVER = URI.create("http://server/");

  private final ManualTimers timers = new ManualTimers();
  private final SplittableRandom random;
  private final int clients;
  private final long meanGapNanos;

  /** How one client sends a request. */
  interface Sender {
    void send(LimitedServer server, String client);
  }

  Crowd(SplittableRandom random, int clients, double requestsPerSecondAndClient) {
    this.random = random;
    this.clients = clients;
    this.meanGapNanos = (long) (1e9 / requestsPerSecondAndClient);
  }

  ManualTimers timers() {
    return timers;
  }

  /** Lets all clients begin at once, and watches the server after a while. */
  Load run(LimitedServer server, IntFunction<Sender> senders, Duration before, Duration watched) {
    for (int i = 0; i < clients; i++) {
      String name = "client-" + i;
      Sender sender = senders.apply(i);
      sender.send(server, name);
      sendLater(() -> sender.send(server, name));
    }
    timers.advance(before);
    server.record();
    long from = timers.nanos();
    timers.advance(watched);
    return Load.of(server, from, timers.nanos(), clients);
  }

  private void sendLater(Runnable send) {
    long gap = (long) (-Math.log(1 - random.nextDouble()) * meanGapNanos);
    schedule(
        gap,
        () -> {
          send.run();
          sendLater(send);
        });
  }

  private void schedule(long nanos, Runnable task) {
    Runnable unused = timers.schedule(nanos, task);
  }

  /** Half of the way to the server and back: 1 to 10 ms. */
  private long way() {
    return random.nextLong(1_000_000, 10_000_000);
  }

  private void request(
      LimitedServer server, String client, Consumer<LimitedServer.Response> onResponse) {
    schedule(
        way(),
        () -> {
          LimitedServer.Response response = server.handle(client);
          schedule(way(), () -> onResponse.accept(response));
        });
  }

  /** A client that sends at once, and sends what was denied again after the same wait each time. */
  Sender naive(int attempts, Duration wait) {
    return new Sender() {
      @Override
      public void send(LimitedServer server, String client) {
        send(server, client, attempts);
      }

      private void send(LimitedServer server, String client, int left) {
        request(
            server,
            client,
            response -> {
              if (response.status() == 429 && left > 1) {
                schedule(wait.toNanos(), () -> send(server, client, left - 1));
              }
            });
      }
    };
  }

  /** A client that has one request at a time, and sends it until it is admitted. */
  Sender persistent(Duration wait) {
    return new Sender() {
      private boolean busy;

      @Override
      public void send(LimitedServer server, String client) {
        if (!busy) {
          busy = true;
          sendAgain(server, client);
        }
      }

      private void sendAgain(LimitedServer server, String client) {
        request(
            server,
            client,
            response -> {
              if (response.status() == 429) {
                schedule(wait.toNanos(), () -> sendAgain(server, client));
              } else {
                busy = false;
              }
            });
      }
    };
  }

  /** A client of Weir. */
  Sender weir(DispatchSettings settings) {
    Dispatcher dispatcher = new Dispatcher(settings, uri -> "", timers, timers, random);
    return (server, client) -> {
      Call call = dispatcher.call(SERVER, "GET", Repeatable.BY_METHOD);
      sendAfter(call.begin(), call, server, client);
    };
  }

  private void sendAfter(
      CompletableFuture<Void> turn, Call call, LimitedServer server, String client) {
    var unused =
        turn.thenRun(
            () ->
                request(
                    server,
                    client,
                    response -> {
                      var again = call.onResponse(response.status(), response::header);
                      if (again != null) {
                        sendAfter(again, call, server, client);
                      }
                    }));
  }
}
