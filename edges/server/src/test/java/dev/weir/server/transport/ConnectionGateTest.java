package dev.weir.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which connections a full listener admits, and which it evicts for them. */
class ConnectionGateTest {
  private final AtomicLong nanos = new AtomicLong();
  private final List<Accepted> all = new ArrayList<>();

  private static final class Accepted extends EmbeddedChannel {
    private final transient SocketAddress from;

    /** Whether its event loop is busy and does not close it yet. */
    private boolean slow;

    Accepted(String from) {
      this.from = new InetSocketAddress(from, 1);
    }

    @Override
    public Unsafe unsafe() {
      Unsafe real = super.unsafe();
      return (Unsafe)
          Proxy.newProxyInstance(
              Unsafe.class.getClassLoader(),
              new Class<?>[] {Unsafe.class},
              (proxy, method, arguments) ->
                  slow && method.getName().equals("close") ? null : method.invoke(real, arguments));
    }

    @Override
    protected SocketAddress remoteAddress0() {
      return from == null ? super.remoteAddress0() : from;
    }
  }

  private EmbeddedChannel listener(int total, int perPeer) {
    ConnectionLimits limits = new ConnectionLimits(total, perPeer);
    return new EmbeddedChannel(new ConnectionGate("test", limits, error -> {}, nanos::get));
  }

  private Accepted connect(EmbeddedChannel listener, String from) {
    Accepted accepted = new Accepted(from);
    all.add(accepted);
    listener.writeInbound(accepted);
    accepted.runPendingTasks();
    return accepted;
  }

  private List<Accepted> connect(EmbeddedChannel listener, String from, int count) {
    return Stream.generate(() -> connect(listener, from)).limit(count).toList();
  }

  private void pass(long millis, List<Accepted> busy) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    busy.stream().filter(Channel::isOpen).forEach(one -> one.writeInbound("ping"));
  }

  private static long open(List<Accepted> some) {
    return some.stream().filter(Channel::isOpen).count();
  }

  private long openFrom(String address) {
    SocketAddress from = new InetSocketAddress(address, 1);
    return all.stream().filter(one -> one.isOpen() && from.equals(one.remoteAddress())).count();
  }

  @Test
  void twoBusyPeersShutOutNoOther() {
    EmbeddedChannel listener = listener(40, 30);
    List<Accepted> honest = connect(listener, "10.0.0.1", 4);
    List<Accepted> busy = new ArrayList<>(connect(listener, "10.0.0.2", 18));
    busy.addAll(connect(listener, "10.0.0.3", 18));
    for (int round = 0; round < 20; round++) {
      pass(1_900, busy);
      busy.addAll(connect(listener, "10.0.0.2", 5));
      busy.addAll(connect(listener, "10.0.0.3", 5));
    }
    assertThat(open(honest)).as("quiet, but few").isEqualTo(4);
    assertThat(open(connect(listener, "10.0.0.1", 2))).isEqualTo(2);
    assertThat(connect(listener, "10.0.0.4").isOpen()).isTrue();
    assertThat(openFrom("10.0.0.2") + openFrom("10.0.0.3")).isEqualTo(33);
    assertThat(open(honest)).isEqualTo(4);
  }

  @Test
  void reconnectingPeerEvictsNoOtherPeer() {
    EmbeddedChannel listener = listener(20, 15);
    connect(listener, "10.0.0.2", 15);
    connect(listener, "10.0.0.3", 5);
    pass(1_000, all);
    for (int i = 0; i < 5; i++) {
      connect(listener, "10.0.0.2", 100);
      assertThat(connect(listener, "10.0.0.4").isOpen()).isTrue();
    }
    assertThat(openFrom("10.0.0.3")).isEqualTo(5);
  }

  /** Otherwise all peers would wait until the evicted connections are closed. */
  @Test
  void reconnectingPeerDelaysNoOtherPeer() {
    EmbeddedChannel listener = listener(80, 60);
    connect(listener, "10.0.0.2", 60).forEach(one -> one.slow = true);
    pass(2_000, List.of());
    long entered = 0;
    for (int i = 0; i < 10; i++) {
      entered += open(connect(listener, "10.0.0.2", 100));
      assertThat(connect(listener, "10.0.0.3").isOpen()).isTrue();
      assertThat(listener.config().isAutoRead()).as("goes on accepting").isTrue();
    }
    assertThat(entered).as("at the cost of others that are idle").isEqualTo(16);
  }

  @Test
  void peerAtItsLimitEvictsItsOwnIdleConnections() {
    EmbeddedChannel listener = listener(20, 10);
    List<Accepted> first = connect(listener, "10.0.0.2", 10);
    List<Accepted> others = connect(listener, "10.0.0.3", 2);
    assertThat(connect(listener, "10.0.0.2").isOpen()).as("none is idle").isFalse();
    pass(2_000, first.subList(1, 10));
    assertThat(connect(listener, "10.0.0.2").isOpen()).isTrue();
    assertThat(first.get(0).isOpen()).isFalse();
    assertThat(open(first) + open(others)).isEqualTo(11);
  }

  @Test
  void idleConnectionsAreEvictedBeforeBusyOnes() {
    EmbeddedChannel listener = listener(40, 30);
    List<Accepted> busy = connect(listener, "10.0.0.2", 20);
    List<Accepted> idle = connect(listener, "10.0.0.3", 20);
    pass(2_000, busy);
    assertThat(open(connect(listener, "10.0.0.4", 5))).isEqualTo(5);
    assertThat(open(busy)).isEqualTo(20);
    assertThat(open(idle)).isEqualTo(15);
  }

  @Test
  void amongEqualPeersEachIsExaminedInTurn() {
    EmbeddedChannel listener = listener(200, 150);
    List<Accepted> busy = new ArrayList<>();
    for (int i = 0; i < 199; i++) {
      busy.add(connect(listener, "10.0.1." + i));
    }
    Accepted idle = connect(listener, "10.0.2.1");
    pass(2_000, busy);
    int tries = 0;
    while (!connect(listener, "10.0.3.1").isOpen()) {
      assertThat(tries++).isLessThan(10);
    }
    assertThat(idle.isOpen()).isFalse();
    assertThat(open(busy)).isEqualTo(199);
  }
}
