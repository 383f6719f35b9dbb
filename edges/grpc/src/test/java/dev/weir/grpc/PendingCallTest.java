package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import dev.weir.async.Continuations;
import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.Weir;
import dev.weir.library.web.Admission;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events of a call around its decision, one after the other. */
class PendingCallTest {
  private static final WebRequest REQUEST = WebRequest.of("POST", "/");

  private final ManualTicker ticker = new ManualTicker(0);
  private final ManualScheduler time = new ManualScheduler(ticker);
  private final Weir weir = Weir.builder().ticker(ticker).scheduler(time).build();
  private final List<String> seen = new ArrayList<>();
  private final CompletableFuture<Admission> decision = new CompletableFuture<>();
  private boolean failing;

  private final PendingCall<StringValue> call =
      new PendingCall<>(new Recorder(), time, Continuations.DIRECT);

  @AfterEach
  void close() {
    weir.close();
  }

  /** Notes what happens to a call. */
  private final class Recorder extends ServerCall.Listener<StringValue>
      implements PendingCall.Handler<StringValue> {
    @Override
    public ServerCall.Listener<StringValue> start(Admission admission) {
      seen.add("start");
      if (failing) {
        throw new IllegalStateException("thrown by the handler");
      }
      call.onReady(); // an event that comes while kept ones are still to be delivered
      return this;
    }

    @Override
    public void failStart(Throwable failure) {
      seen.add("start failed");
    }

    @Override
    public void failEvent(Throwable failure) {
      seen.add("event failed");
    }

    @Override
    public void onMessage(StringValue message) {
      seen.add(message.getValue());
      if (message.getValue().equals("throw")) {
        throw new IllegalStateException("thrown by the handler");
      }
    }

    @Override
    public void onHalfClose() {
      seen.add("half close");
    }

    @Override
    public void onCancel() {
      seen.add("cancel");
    }

    @Override
    public void onComplete() {
      seen.add("complete");
    }

    @Override
    public void onReady() {
      seen.add("ready");
    }
  }

  private RulesLimiter limiter(String rule) {
    return weir.rules(
        RulesText.of(
            "rules.yaml", "lint-ignore: needs-release\nrules: [{name: one, " + rule + "}]"));
  }

  private Admission admission(RulesLimiter limiter) {
    return limiter.admit(REQUEST);
  }

  @Test
  void eventsAreKeptUntilTheDecisionAndDeliveredInOrder() {
    call.await(decision);
    call.onReady();
    call.onMessage(Echo.text("a"));
    call.onMessage(Echo.text("b"));
    call.onHalfClose();
    assertThat(seen).isEmpty();
    decision.complete(admission(limiter("limit: 5/hour")));
    call.onComplete();
    assertThat(seen).containsExactly("start", "ready", "a", "b", "half close", "complete");
  }

  @Test
  void cancellationBeforeTheGrantGivesItBack() {
    RulesLimiter limiter = limiter("limit: 1/hour");
    call.await(decision);
    call.onCancel();
    assertThat(decision).isCancelled();
    assertThat(seen).isEmpty();
    assertThat(limiter.admit(REQUEST).allowed()).isTrue();
  }

  /** The grant is on its way, so that cancelling its future comes too late. */
  @Test
  void grantThatOvertookTheCancellationIsGivenBackOnce() {
    RulesLimiter limiter = limiter("limit: 3/hour, algorithm: fixed-window");
    call.await(decision);
    var unused = decision.whenComplete((granted, failure) -> call.onCancel()); // last in, first out
    decision.complete(admission(limiter));
    assertThat(decision).isNotCancelled();
    assertThat(seen).isEmpty();
    assertThat(limiter.admit(REQUEST).decision().orElseThrow().remaining()).isEqualTo(2);
  }

  @Test
  void leakyBucketHoldsTheCall() {
    RulesLimiter limiter = limiter("limit: 1/10s, algorithm: leaky-bucket, queue: 5");
    admission(limiter).close();
    call.hold(admission(limiter));
    time.advance(Duration.ofMillis(9_999));
    assertThat(seen).isEmpty();
    time.advance(Duration.ofMillis(1));
    assertThat(seen).containsExactly("start", "ready");
  }

  @Test
  void callCancelledInALeakyBucketLeavesIt() {
    RulesLimiter limiter = limiter("limit: 1/10s, algorithm: leaky-bucket, queue: 5");
    admission(limiter).close();
    call.hold(admission(limiter));
    call.onCancel();
    assertThat(admission(limiter).delay()).isEqualTo(Duration.ofSeconds(10));
    time.advance(Duration.ofMinutes(1));
    assertThat(seen).isEmpty();
  }

  /** Callers that come and go would else fill the memory for as long as their delays. */
  @Test
  void timerOfACancelledCallKeepsNothingOfIt() {
    RulesLimiter limiter = limiter("limit: 1/10s, algorithm: leaky-bucket, queue: 5");
    admission(limiter).close();
    WeakReference<?> cancelled = heldAndCancelled(admission(limiter));
    Await.until(
        "collected",
        Duration.ofSeconds(60),
        () -> {
          System.gc();
          return cancelled.refersTo(null);
        });
    assertThat(seen).isEmpty();
  }

  private WeakReference<?> heldAndCancelled(Admission admission) {
    PendingCall<StringValue> gone = new PendingCall<>(new Recorder(), time, Continuations.DIRECT);
    gone.hold(admission);
    gone.onCancel();
    return new WeakReference<>(gone);
  }

  @Test
  void cancellationAfterTheStartIsTheHandlers() {
    call.await(decision);
    decision.complete(admission(limiter("limit: 5/hour")));
    call.onCancel();
    assertThat(seen).containsExactly("start", "ready", "cancel");
  }

  @Test
  void callWhoseDecisionFailsIsClosed() {
    call.await(decision);
    call.onMessage(Echo.text("a"));
    decision.completeExceptionally(new IllegalStateException("closed"));
    call.onCancel();
    assertThat(seen).containsExactly("start failed");
  }

  @Test
  void callWhoseHandlerFailsToStartIsClosed() {
    failing = true;
    call.await(decision);
    call.onMessage(Echo.text("a"));
    decision.complete(admission(limiter("limit: 5/hour")));
    assertThat(seen).containsExactly("start", "start failed");
  }

  @Test
  void callWhoseHandlerFailsAtAKeptEventIsClosedAndHearsItsEnd() {
    call.await(decision);
    call.onMessage(Echo.text("throw"));
    call.onCancel();
    assertThat(seen).isEmpty();
    CompletableFuture<Admission> granted = new CompletableFuture<>();
    PendingCall<StringValue> other = new PendingCall<>(new Recorder(), time, Continuations.DIRECT);
    other.await(granted);
    other.onMessage(Echo.text("throw"));
    granted.complete(admission(limiter("limit: 5/hour")));
    other.onComplete();
    assertThat(seen).containsExactly("start", "throw", "event failed", "complete");
  }

  /** A call of grpc-java may not be closed twice; the second end is ours, and is not an error. */
  @Test
  void applicationThatClosesAndThenFailsIsClosedOnce() {
    List<Status> closed = new ArrayList<>();
    ServerCall<StringValue, StringValue> served = new ClosedOnce(closed);
    RulesLimiter limiter = limiter("limit: 1/10s, algorithm: leaky-bucket, queue: 5");
    WeirServerInterceptor interceptor =
        WeirServerInterceptor.builder(limiter)
            .scheduler(time)
            .executor(Continuations.DIRECT)
            .build();
    admission(limiter).close();
    var unused =
        interceptor.interceptCall(
            served,
            new Metadata(),
            (answered, headers) -> {
              answered.close(Status.OK, new Metadata());
              throw new IllegalStateException("thrown by the handler");
            });
    time.advance(Duration.ofSeconds(10));
    assertThat(closed).containsExactly(Status.OK);
  }

  private static final class ClosedOnce extends ServerCall<StringValue, StringValue> {
    private final List<Status> closed;

    ClosedOnce(List<Status> closed) {
      this.closed = closed;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(StringValue message) {}

    @Override
    public void close(Status status, Metadata trailers) {
      if (!closed.isEmpty()) {
        throw new IllegalStateException("call already closed");
      }
      closed.add(status);
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<StringValue, StringValue> getMethodDescriptor() {
      return Echo.UNARY;
    }
  }
}
