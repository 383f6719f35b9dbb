package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.RetryInfo;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What servers ask for in the details of a denial, well formed or not. */
class ServerPausesTest {
  private static final Metadata.Key<byte[]> RAW_DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private final ManualScheduler time = new ManualScheduler(new ManualTicker(0));
  private final ServerPauses pauses = new ServerPauses(time, Duration.ofMinutes(1));

  static Metadata retryIn(long seconds, int nanos) {
    return details(
        Any.pack(
            RetryInfo.newBuilder()
                .setRetryDelay(
                    com.google.protobuf.Duration.newBuilder().setSeconds(seconds).setNanos(nanos))
                .build()));
  }

  private static Metadata details(Any detail) {
    Metadata trailers = new Metadata();
    trailers.put(
        DenialStatus.DETAILS, com.google.rpc.Status.newBuilder().addDetails(detail).build());
    return trailers;
  }

  private Duration pauseAfter(Status status, Metadata trailers) {
    pauses.onClose("m", status, trailers);
    return Duration.ofNanos(Math.max(0, pauses.remainingNanos("m")));
  }

  @Test
  void methodIsPausedForAsLongAsTheServerAsks() {
    assertThat(pauseAfter(Status.RESOURCE_EXHAUSTED, retryIn(1, 500_000_000)))
        .isEqualTo(Duration.ofMillis(1_500));
    time.advance(Duration.ofMillis(1_499));
    assertThat(pauses.remainingNanos("m")).isEqualTo(1_000_000);
    assertThat(pauses.remainingNanos("other")).isZero();
    time.advance(Duration.ofMillis(1));
    assertThat(pauses.remainingNanos("m")).isZero();
    assertThat(pauses.size()).isZero();
  }

  @Test
  void longestPauseIsBounded() {
    assertThat(pauseAfter(Status.UNAVAILABLE, retryIn(Long.MAX_VALUE, 0)))
        .isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void shorterPauseDoesNotEndALongerOne() {
    assertThat(pauseAfter(Status.RESOURCE_EXHAUSTED, retryIn(20, 0))).hasSeconds(20);
    assertThat(pauseAfter(Status.RESOURCE_EXHAUSTED, retryIn(5, 0))).hasSeconds(20);
  }

  @Test
  void onlyDenialsPauseAMethod() {
    assertThat(pauseAfter(Status.ABORTED, retryIn(5, 0))).isZero();
    assertThat(pauseAfter(Status.OK, retryIn(5, 0))).isZero();
    assertThat(pauseAfter(Status.RESOURCE_EXHAUSTED, new Metadata())).isZero();
  }

  @Test
  void nonsenseIsIgnored() {
    assertThat(pauseAfter(Status.RESOURCE_EXHAUSTED, retryIn(-5, 0))).isZero();
    assertThat(pauseAfter(Status.RESOURCE_EXHAUSTED, retryIn(Long.MIN_VALUE, -1))).isZero();
    Any broken =
        Any.newBuilder()
            .setTypeUrl("type.googleapis.com/google.rpc.RetryInfo")
            .setValue(ByteString.copyFromUtf8("not a message"))
            .build();
    assertThat(pauseAfter(Status.RESOURCE_EXHAUSTED, details(broken))).isZero();
    Seeds.run(
        random -> {
          for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[random.nextInt(100)];
            random.nextBytes(bytes);
            Metadata trailers = new Metadata();
            trailers.put(RAW_DETAILS, bytes);
            pauses.onClose("m" + i, Status.RESOURCE_EXHAUSTED, trailers);
          }
          assertThat(pauses.size()).isZero();
        });
  }

  @Test
  void pausesAreBounded() {
    for (int i = 0; i < 3 * ServerPauses.MAX_PAUSES; i++) {
      pauses.onClose("m" + i, Status.RESOURCE_EXHAUSTED, retryIn(5, 0));
    }
    assertThat(pauses.size()).isEqualTo(ServerPauses.MAX_PAUSES);
    time.advance(Duration.ofSeconds(5));
    pauses.onClose("late", Status.RESOURCE_EXHAUSTED, retryIn(5, 0));
    assertThat(pauses.size()).isEqualTo(1);
  }
}
