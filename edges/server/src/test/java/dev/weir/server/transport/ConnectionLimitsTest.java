package dev.weir.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ConnectionLimitsTest {
  @Test
  void onePeerNeverGetsAllConnections() {
    assertThat(ConnectionLimits.of(100)).isEqualTo(new ConnectionLimits(100, 75));
    assertThat(ConnectionLimits.of(1)).isEqualTo(new ConnectionLimits(1, 1));
    assertThat(ConnectionLimits.FOR_OPERATORS).isEqualTo(new ConnectionLimits(64, 48));
  }

  @Test
  void fileDescriptorsAreReserved() {
    ConnectionLimits limits = ConnectionLimits.byOpenFiles(2);
    assertThat(limits.total()).isBetween(16, ConnectionLimits.DEFAULT_TOTAL);
    assertThat(limits.total())
        .as("each may keep some of the heap")
        .isLessThanOrEqualTo((int) Math.max(16, Runtime.getRuntime().maxMemory() >> 17));
    if (FileDescriptors.max() > 2_000) {
      assertThat(2L * limits.total() + ConnectionLimits.RESERVED)
          .isLessThanOrEqualTo(FileDescriptors.max());
    }
  }

  @Test
  void invalidLimitsAreRejected() {
    assertThatThrownBy(() -> new ConnectionLimits(0, 1)).hasMessageContaining("connections: 0");
    assertThatThrownBy(() -> new ConnectionLimits(10, 11))
        .hasMessage("connections per peer: 11 (expected: between 1 and 10)");
  }
}
