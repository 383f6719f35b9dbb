package dev.weir.server.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.LogLines;
import org.junit.jupiter.api.Test;

class SignalLogTest {
  private static final Sent ARRIVED = new Sent(Sent.Result.ARRIVED, "", 0, 0);
  private static final Sent REJECTED = new Sent(Sent.Result.ARRIVED, "too old", 3, 0);
  private static final Sent REFUSED = new Sent(Sent.Result.REFUSED, "status 404", 0, 0);

  @Test
  void beginAndEndOfTroubleAreLoggedOnceEach() {
    SignalLog log = new SignalLog("spans");
    try (LogLines lines = new LogLines(SignalLog.class)) {
      log.record(ARRIVED);
      log.record(Sent.retry("Connection refused", 0));
      log.record(REFUSED);
      log.record(Sent.retry("status 503", 0));
      log.record(ARRIVED);
      log.record(ARRIVED);
      log.record(REJECTED);
      log.record(REJECTED);
      log.record(REFUSED);
      assertThat(lines.lines)
          .containsExactly(
              "WARNING The collector takes no spans: Connection refused",
              "INFO The collector takes spans again",
              "WARNING The collector rejects some spans: too old",
              "WARNING The collector takes no spans: status 404");
    }
  }
}
