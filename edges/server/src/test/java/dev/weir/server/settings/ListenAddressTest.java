package dev.weir.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenAddressTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 80, 127.0.0.1, 80, true",
    "127.0.0.1, 80, 127.0.0.1, 81, false",
    "127.0.0.1, 80, 127.0.0.2, 80, false",
    "0.0.0.0, 80, 127.0.0.2, 80, true",
    "127.0.0.2, 80, 0.0.0.0, 80, true",
    "::, 80, 127.0.0.1, 80, true",
    "localhost, 80, 127.0.0.1, 80, true",
    "nohost.invalid, 80, nohost.invalid, 80, true",
    "127.0.0.1, 0, 127.0.0.1, 0, false",
    "0.0.0.0, -1, 0.0.0.0, -1, false",
  })
  void addressesConflictIfOnlyOneCanListen(
      String host, int port, String otherHost, int otherPort, boolean conflict) {
    ListenAddress one = new ListenAddress(host, port);
    assertThat(one.conflictsWith(new ListenAddress(otherHost, otherPort))).isEqualTo(conflict);
  }

  @Test
  void listenersOfAServerMustNotShareAPort() {
    for (int[] ports : new int[][] {{7, 7, 0}, {7, 0, 7}, {0, 7, 7}}) {
      ServerSettings settings = ServerSettings.DEFAULT.withPorts(ports[0], ports[1], ports[2]);
      assertThatThrownBy(settings::checkConflicts)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(": both 7 (expected: two ports)");
    }
  }
}
