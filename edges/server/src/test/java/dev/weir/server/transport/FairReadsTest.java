package dev.weir.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FairReadsTest {
  @Test
  void moreConnectionsMeanSmallerReads() {
    assertThat(FairReads.bytes(0)).isEqualTo(16 << 10);
    assertThat(FairReads.bytes(16)).isEqualTo(16 << 10);
    assertThat(FairReads.bytes(64)).isEqualTo(4 << 10);
    assertThat(FairReads.bytes(256)).isEqualTo(1 << 10);
    assertThat(FairReads.bytes(1_000_000)).isEqualTo(1 << 10);
  }

  @Test
  void readSizeFollowsTheCurrentNumberOfConnections() {
    AtomicInteger connections = new AtomicInteger(1);
    var handle = new FairReads(connections::get).newHandle();
    assertThat(handle.guess()).isEqualTo(16 << 10);
    connections.set(128);
    assertThat(handle.guess()).isEqualTo(2 << 10);
  }
}
