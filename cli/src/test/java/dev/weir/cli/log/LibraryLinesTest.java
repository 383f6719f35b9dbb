package dev.weir.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LibraryLinesTest {
  private final LibraryLines lines = new LibraryLines();

  private long written(String logger) {
    LogRecord line = new LogRecord(Level.INFO, "ignoring a frame");
    line.setLoggerName(logger);
    return IntStream.range(0, 10_000).filter(i -> lines.isLoggable(line)).count();
  }

  @Test
  void aFloodOfWhatALibrarySaysIsCutShort() {
    // A minute may end meanwhile.
    assertThat(written("io.netty.handler.codec.http2.Anything")).isBetween(100L, 200L);
    assertThat(written("io.vertx.core.Anything")).isLessThanOrEqualTo(100);
    assertThat(written("dev.weir.server.Anything")).isEqualTo(10_000);
  }
}
