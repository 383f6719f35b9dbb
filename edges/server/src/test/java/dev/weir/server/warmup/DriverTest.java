package dev.weir.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.warmup.Driver.Outcome;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The warm-up of a server that accepts connections and never responds. */
@Timeout(120)
class DriverTest {
  private static final Driver.Calls CALLS =
      new Driver.Calls() {
        @Override
        public Call check(int number) {
          return Call.get("/", Map.of());
        }

        @Override
        public Call decide(int number) {
          return check(number);
        }

        @Override
        public Call rateLimit(int number) {
          return check(number);
        }
      };

  private static Outcome drive(Duration limit, boolean stop) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 99, InetAddress.getLoopbackAddress())) {
      Port port = new Port("127.0.0.1", silent.getLocalPort(), false);
      return new Driver(new Sockets(), port, port, CALLS)
          .drive(Duration.ofMillis(5), limit, () -> 0, () -> stop);
    }
  }

  @Test
  void unansweredCallsEndAtTheTimeLimit() throws Exception {
    Outcome outcome = drive(Duration.ofMillis(100), false);
    assertThat(outcome.warm()).isFalse();
    assertThat(outcome.failure()).as("a timeout is no failure").isNull();
    assertThat(outcome.rounds()).isZero();
  }

  @Test
  void noCallIsSentAfterStop() throws Exception {
    Outcome outcome = drive(Duration.ofHours(1), true);
    assertThat(outcome.warm()).isFalse();
    assertThat(outcome.failure()).isNull();
  }
}
