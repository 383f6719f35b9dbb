package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.Weir;
import dev.weir.library.web.Admission;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.redis.Await;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The permit of a request is held for as long as it lasts, and free when it is over. */
@Timeout(180)
class AsyncTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final WebRequest PROBE = WebRequest.of("GET", "/probe");

  private final Weir weir = Weir.inMemory();
  private final RulesLimiter limiter =
      weir.rules(
          RulesText.of(
              "rules.yaml",
              """
              lint-ignore: needs-release
              rules:
                - {name: busy, concurrent: 1, expires: 1 hour}
                - {name: count, limit: 1000/hour, algorithm: fixed-window}
              """));
  private final CompletableFuture<AsyncContext> started = new CompletableFuture<>();
  private final CountDownLatch proceed = new CountDownLatch(1);
  @TempDir private Path folder = Path.of("");

  @AfterEach
  void close() {
    proceed.countDown();
    weir.close();
  }

  private void application(ServletContext context) {
    Applications.filter(context, "weir", WeirFilter.of(limiter));
    Applications.serveOk(context);
    Applications.serve(context, "/async", (request, response) -> start(request, 0));
    Applications.serve(context, "/timeout", (request, response) -> start(request, 50));
    Applications.serve(context, "/at-once", (request, response) -> start(request, 0).complete());
    Applications.serve(context, "/dispatch", this::dispatch);
    Applications.serve(context, "/again", this::startAgain);
    Applications.serve(context, "/timeout-handled", this::completeAfterTimeout);
    Applications.serve(
        context,
        "/throw",
        (request, response) -> {
          throw new IllegalStateException("on purpose");
        });
    Applications.serve(
        context,
        "/throw-async",
        (request, response) -> {
          start(request, 200);
          throw new IllegalStateException("on purpose");
        });
    Applications.serve(context, "/stream", this::stream);
  }

  private AsyncContext start(HttpServletRequest request, long timeoutMillis) {
    AsyncContext async = request.startAsync();
    async.setTimeout(timeoutMillis);
    started.complete(async);
    return async;
  }

  private void dispatch(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getDispatcherType() == DispatcherType.REQUEST) {
      start(request, 0);
    } else {
      response.getOutputStream().print("dispatched");
    }
  }

  /** Dispatches once, and starts again in the dispatch. */
  private void startAgain(HttpServletRequest request, HttpServletResponse response) {
    AsyncContext async = request.startAsync();
    async.setTimeout(0);
    if (request.getDispatcherType() == DispatcherType.REQUEST) {
      async.dispatch();
    } else {
      started.complete(async);
    }
  }

  private void completeAfterTimeout(HttpServletRequest request, HttpServletResponse response) {
    start(request, 50)
        .addListener(
            new AsyncListener() {
              @Override
              public void onComplete(AsyncEvent event) {}

              @Override
              public void onTimeout(AsyncEvent event) throws IOException {
                event.getSuppliedResponse();
                response.getOutputStream().print("late");
                event.getAsyncContext().complete();
              }

              @Override
              public void onError(AsyncEvent event) {}

              @Override
              public void onStartAsync(AsyncEvent event) {}
            });
  }

  /** Writes until the client is gone. */
  private void stream(HttpServletRequest request, HttpServletResponse response) throws IOException {
    while (proceed.getCount() > 0) {
      response.getOutputStream().write(new byte[64 << 10]);
      response.flushBuffer();
    }
  }

  /** Gives back what it takes. */
  private boolean isFree() {
    Admission probe = limiter.admit(PROBE);
    probe.giveBack();
    return probe.allowed();
  }

  private long charged() {
    Admission probe = limiter.admit(PROBE);
    long left = probe.decision().orElseThrow().each().get(1).remaining();
    probe.giveBack();
    return 999 - left;
  }

  private void assertReleased(int charges) {
    Await.until("released", SOON, this::isFree);
    assertThat(charged()).isEqualTo(charges);
  }

  private CompletableFuture<Integer> begin(RunningServer server, String path) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return server.status(path);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void permitIsHeldUntilAnAsynchronousRequestIsComplete(Container container) throws Exception {
    try (RunningServer server = container.start(folder, this::application)) {
      CompletableFuture<Integer> response = begin(server, "/async");
      AsyncContext async = started.get(60, TimeUnit.SECONDS);
      assertThat(server.status("/")).isEqualTo(429);
      async.complete();
      assertThat(response.get()).isEqualTo(200);
      assertReleased(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void requestThatIsCompleteAtOnceReleases(Container container) throws Exception {
    try (RunningServer server = container.start(folder, this::application)) {
      assertThat(server.status("/at-once")).isEqualTo(200);
      assertReleased(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void dispatchKeepsThePermitAndChargesNothing(Container container) throws Exception {
    try (RunningServer server = container.start(folder, this::application)) {
      CompletableFuture<Integer> response = begin(server, "/dispatch");
      AsyncContext async = started.get(60, TimeUnit.SECONDS);
      assertThat(isFree()).isFalse();
      async.dispatch();
      assertThat(response.get()).isEqualTo(200);
      assertReleased(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void requestThatStartsAgainHoldsItsPermit(Container container) throws Exception {
    try (RunningServer server = container.start(folder, this::application)) {
      CompletableFuture<Integer> response = begin(server, "/again");
      AsyncContext async = started.get(60, TimeUnit.SECONDS);
      assertThat(server.status("/")).isEqualTo(429);
      async.complete();
      assertThat(response.get()).isEqualTo(200);
      assertReleased(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void timeoutReleases(Container container) throws Exception {
    try (RunningServer server = container.start(folder, this::application)) {
      assertThat(server.status("/timeout")).isEqualTo(500);
      assertReleased(1);
      assertThat(server.status("/timeout-handled")).isEqualTo(200);
      assertReleased(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void exceptionsRelease(Container container) throws Exception {
    try (RunningServer server = container.start(folder, this::application)) {
      assertThat(server.status("/throw")).isEqualTo(500);
      assertReleased(1);
      // Tomcat closes the connection, and Jetty waits until the time of the request is over.
      try (Socket socket =
          server.send("127.0.0.1", "GET /throw-async HTTP/1.1\r\nHost: a\r\n\r\n")) {
        started.get(60, TimeUnit.SECONDS);
        assertReleased(2);
        assertThat(socket.isConnected()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void clientThatDisconnectsReleases(Container container) throws Exception {
    try (RunningServer server = container.start(folder, this::application)) {
      try (Socket socket = server.send("127.0.0.1", "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")) {
        assertThat(socket.getInputStream().read()).isEqualTo('H');
        assertThat(isFree()).isFalse();
      }
      assertReleased(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void clientThatDisconnectsFromAnAsynchronousRequestReleases(Container container)
      throws Exception {
    try (RunningServer server = container.start(folder, this::application)) {
      AsyncContext async;
      try (Socket socket = server.send("127.0.0.1", "GET /async HTTP/1.1\r\nHost: a\r\n\r\n")) {
        async = started.get(60, TimeUnit.SECONDS);
        assertThat(isFree()).isFalse();
        assertThat(socket.isConnected()).isTrue();
      }
      writeUntilRefused(async);
      assertReleased(1);
    }
  }

  /** As applications do: they notice when they write, and complete. */
  private static void writeUntilRefused(AsyncContext async) {
    try {
      for (int i = 0; i < 10_000; i++) {
        async.getResponse().getOutputStream().write(new byte[64 << 10]);
        async.getResponse().flushBuffer();
      }
      throw new AssertionError("the client is gone, but the server can still write to it");
    } catch (IOException | IllegalStateException e) {
      completeIfStarted(async);
    }
  }

  private static void completeIfStarted(AsyncContext async) {
    try {
      async.complete();
    } catch (IllegalStateException e) {
      // The container has completed it.
    }
  }
}
