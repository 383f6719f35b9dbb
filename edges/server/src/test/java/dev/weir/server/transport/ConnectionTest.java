package dev.weir.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Responses that clients do not read. */
class ConnectionTest {
  private static final int MAX_AT_ONCE = 4;

  private final ByteBudget unread = new ByteBudget(MAX_AT_ONCE * (256L << 10));

  private EmbeddedChannel connect() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.pipeline().addFirst(new Connection(channel, null, unread, error -> {}, () -> 0));
    return channel;
  }

  /** Writes without flushing: as if the client read nothing. */
  private static void pileUp(EmbeddedChannel channel) {
    var unused = channel.write(Unpooled.wrappedBuffer(new byte[100_000]));
    channel.runPendingTasks();
  }

  @Test
  void unreadResponsesAreBoundedInTotal() {
    List<EmbeddedChannel> channels = new ArrayList<>();
    for (int i = 0; i < 2 * MAX_AT_ONCE; i++) {
      channels.add(connect());
      pileUp(channels.get(i));
    }
    assertThat(channels.stream().filter(EmbeddedChannel::isOpen)).hasSize(MAX_AT_ONCE);
    channels.get(0).flush();
    channels.get(0).runPendingTasks();
    var unused = channels.get(1).close();
    for (int i = 0; i < 2; i++) {
      EmbeddedChannel another = connect();
      channels.add(another);
      pileUp(another);
      assertThat(another.isOpen()).as("there is room again").isTrue();
    }
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    assertThat(unread.used()).isZero();
  }
}
