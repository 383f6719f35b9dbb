package dev.weir.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LibraryLogFilterTest {
  private final LibraryLogFilter filter = new LibraryLogFilter();

  private long logged(String logger) {
    LogRecord line = new LogRecord(Level.INFO, "ignoring a frame");
    line.setLoggerName(logger);
    return IntStream.range(0, 10_000).filter(i -> filter.isLoggable(line)).count();
  }

  @Test
  void floodOfLibraryLogsIsLimited() {
    // A minute may end during the test.
    assertThat(logged("io.netty.handler.codec.http2.Anything")).isBetween(100L, 200L);
    assertThat(logged("io.vertx.core.Anything")).isLessThanOrEqualTo(100);
    assertThat(logged("dev.weir.server.Anything")).isEqualTo(10_000);
  }
}
