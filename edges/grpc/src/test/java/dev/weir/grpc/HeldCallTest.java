package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import dev.weir.async.Continuations;
import dev.weir.grpc.internal.CallbackThreads;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Both sides of a call that waits until a server's pause is over, one event after the other. */
class HeldCallTest {
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final Context.Key<String> USER = Context.key("user");

  private final ManualScheduler time = new ManualScheduler(new ManualTicker(0));
  private final ClientLimits limits =
      new ClientLimits(null, null, time, () -> 0, Duration.ofMinutes(1));
  private final List<String> heard = new ArrayList<>();

  private CallTurn turn(Duration atMost) {
    limits.pauses().onClose("m", Status.UNAVAILABLE, ServerPausesTest.retryIn(10, 0));
    return new CallTurn(limits, "m", "key", atMost);
  }

  private HeldCall<StringValue, StringValue> call(RecordedCall inner, Duration atMost) {
    return new HeldCall<>(inner, turn(atMost), limits.pauses(), "m", Continuations.DIRECT);
  }

  /** Hears how the call ends, and in whose context. */
  private final class Application extends ClientCall.Listener<StringValue> {
    @Override
    public void onClose(Status status, Metadata trailers) {
      heard.add(status.getCode() + " for " + USER.get());
    }
  }

  /** An interceptor behind ours that reads the context, as those do that add credentials. */
  private static final class Authenticated extends RecordedCall {
    @Override
    public void start(Listener<StringValue> responses, Metadata headers) {
      super.start(responses, headers);
      seen.add("for " + USER.get());
    }

    @Override
    public void sendMessage(StringValue message) {
      super.sendMessage(message);
      seen.add("for " + USER.get());
    }
  }

  @Test
  void callStartsInTheContextInWhichItWasMade() throws Exception {
    Authenticated inner = new Authenticated();
    var call = Context.current().withValue(USER, "alice").call(() -> call(inner, PAUSE));
    call.start(new Application(), new Metadata());
    call.sendMessage(Echo.text("a"));
    Context.current().withValue(USER, "bob").run(() -> time.advance(PAUSE));
    assertThat(inner.seen).containsExactly("start", "for alice", "a", "for alice");
  }

  @Test
  void denialIsReportedInTheContextInWhichTheCallWasMade() throws Exception {
    RecordedCall inner = new RecordedCall();
    var call =
        Context.current().withValue(USER, "alice").call(() -> call(inner, Duration.ofSeconds(1)));
    Context.current()
        .withValue(USER, "bob")
        .run(() -> call.start(new Application(), new Metadata()));
    assertThat(heard).containsExactly("RESOURCE_EXHAUSTED for alice");
    assertThat(inner.seen).containsExactly("cancel");
  }

  /** A call that is ready for two messages as soon as it starts, and says so once. */
  private static final class ReadyForTwo extends RecordedCall {
    @Override
    public void start(Listener<StringValue> responses, Metadata headers) {
      super.start(responses, headers);
      responses.onReady();
    }

    @Override
    public boolean isReady() {
      return seen.size() < 4;
    }
  }

  @Test
  void callThatIsReadyWhileItStartsIsReadyForTheApplication() {
    RecordedCall inner = new ReadyForTwo();
    var call = call(inner, PAUSE);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onReady() {
            while (call.isReady()) {
              call.sendMessage(Echo.text("x"));
            }
          }
        },
        new Metadata());
    call.request(1);
    assertThat(call.isReady()).isFalse();
    time.advance(PAUSE);
    assertThat(inner.seen).containsExactly("start", "request 1", "x", "x");
  }

  @Test
  void callIsReadyWhileWhatWasKeptIsDone() {
    List<Boolean> readiness = new ArrayList<>();
    List<ClientCall<StringValue, StringValue>> calls = new ArrayList<>();
    RecordedCall inner =
        new RecordedCall() {
          @Override
          public void sendMessage(StringValue message) {
            super.sendMessage(message);
            readiness.add(calls.get(0).isReady());
          }
        };
    HeldCall<StringValue, StringValue> call = call(inner, PAUSE);
    calls.add(call);
    call.start(new Application(), new Metadata());
    call.sendMessage(Echo.text("a"));
    time.advance(PAUSE);
    assertThat(readiness).containsExactly(true);
  }

  @Test
  void cancelledContextEndsACallThatWaits() throws Exception {
    RecordedCall inner = new RecordedCall();
    Context.CancellableContext request = Context.current().withCancellation();
    var call = request.call(() -> call(inner, PAUSE));
    call.start(new Application(), new Metadata());
    request.cancel(null);
    assertThat(heard).containsExactly("CANCELLED for null");
    time.advance(PAUSE);
    assertThat(inner.seen).containsExactly("cancel");
  }

  @Test
  void callOfACancelledContextNeverWaits() throws Exception {
    RecordedCall inner = new RecordedCall();
    Context.CancellableContext request = Context.current().withCancellation();
    var call = request.call(() -> call(inner, PAUSE));
    request.cancel(null);
    call.start(new Application(), new Metadata());
    assertThat(heard).containsExactly("CANCELLED for null");
    time.advance(PAUSE);
    assertThat(inner.seen).containsExactly("cancel");
  }

  /** From then on the call itself is cancelled by gRPC, and its listener hears it from there. */
  @Test
  void contextCancelledAfterTheStartIsLeftToTheCall() throws Exception {
    RecordedCall inner = new RecordedCall();
    Context.CancellableContext request = Context.current().withCancellation();
    var call = request.call(() -> call(inner, PAUSE));
    call.start(new Application(), new Metadata());
    time.advance(PAUSE);
    request.cancel(null);
    assertThat(heard).isEmpty();
    assertThat(inner.seen).containsExactly("start");
  }

  @Test
  void cancelledCallMakesRoomForAnotherOneThatWaits() {
    for (int round = 0; round < 2; round++) {
      List<CallTurn> turns = new ArrayList<>();
      for (int i = 0; i < ClientLimits.MAX_HELD; i++) {
        turns.add(turn(Duration.ofMinutes(1)).begin());
      }
      assertThat(turns).noneMatch(CallTurn::isDone);
      assertThat(turn(Duration.ofMinutes(1)).begin()).isCompletedExceptionally();
      turns.forEach(turn -> turn.cancel(false));
      CallTurn next = turn(Duration.ofMinutes(1)).begin();
      assertThat(next).isNotDone();
      time.advance(PAUSE);
      assertThat(next).isCompleted();
    }
  }

  @Test
  void denialIsReportedOnAnotherThreadThanThatWhichStartsTheCall() throws Exception {
    ExecutorService closed = Executors.newSingleThreadExecutor();
    closed.shutdown();
    for (Executor executor : List.of(CallbackThreads.shared(), closed)) {
      CompletableFuture<Thread> reported = new CompletableFuture<>();
      var call =
          new HeldCall<>(
              new RecordedCall(), turn(Duration.ofSeconds(1)), limits.pauses(), "m", executor);
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
              reported.complete(Thread.currentThread());
            }
          },
          new Metadata());
      assertThat(reported.get(60, TimeUnit.SECONDS).getName()).isEqualTo("weir-grpc-callbacks");
    }
  }
}
