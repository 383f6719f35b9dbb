package dev.weir.http.identity;

import static dev.weir.http.Readers.hops;
import static dev.weir.http.Readers.reader;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.Readers;
import dev.weir.http.address.ForwardedHeader;
import dev.weir.http.address.Network;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The cases that Envoy documents for {@code xff_num_trusted_hops}. Its {@code use_remote_address:
 * false} with N hops is N + 1 hops here, because there the nearest proxy is trusted without being
 * counted.
 */
class TrustedHopsTest {
  private static final String LIST = "203.0.113.128, 203.0.113.10, 203.0.113.1";

  @Test
  void envoyExample1AtTheEdgeWithoutProxyInFront() {
    assertThat(client(0, "192.0.2.5", LIST)).isEqualTo("192.0.2.5");
  }

  @Test
  void envoyExample2InsideBehindTheEdgeOfExample1() {
    assertThat(client(1, "10.11.12.13", LIST + ", 192.0.2.5")).isEqualTo("192.0.2.5");
  }

  @Test
  void envoyExample3AtTheEdgeBehindTwoTrustedProxies() {
    assertThat(client(2, "192.0.2.5", LIST)).isEqualTo("203.0.113.10");
  }

  @Test
  void envoyExample4InsideBehindTheEdgeOfExample3() {
    assertThat(client(3, "10.11.12.13", LIST + ", 192.0.2.5")).isEqualTo("203.0.113.10");
  }

  @Test
  void envoyExample5InsideWithAClientFromInside() {
    assertThat(client(1, "10.20.30.40", null)).isEqualTo("10.20.30.40");
  }

  @Test
  void envoyExample6InsideBehindAnotherProxy() {
    assertThat(client(1, "10.20.30.50", "10.20.30.40")).isEqualTo("10.20.30.40");
  }

  @Test
  void tooFewEntriesMakeThePeerTheClient() {
    HttpReader reader = reader(hops(4), "ip");
    FakeRequest request = FakeRequest.from("192.0.2.5").header("X-Forwarded-For", LIST);
    assertThat(reader.read(request).value("ip")).isEqualTo("192.0.2.5");
    assertThat(reader.meters().of(Event.FORWARDED_UNUSABLE)).isOne();
  }

  @Test
  void onlyTheEntryAtTheLastHopMustBeAnAddress() {
    assertThat(client(2, "192.0.2.5", "x, 203.0.113.10, unknown")).isEqualTo("203.0.113.10");
    assertThat(client(2, "192.0.2.5", "203.0.113.10, unknown, y")).isEqualTo("192.0.2.5");
  }

  @Test
  void hopsWorkBehindAUnixSocket() {
    assertThat(client(1, null, LIST)).isEqualTo("203.0.113.1");
    assertThat(client(1, null, "unknown")).isNull();
  }

  @Test
  void hopsAreCountedInForwardedToo() {
    HttpSettings settings = hops(2).withForwardedHeader(ForwardedHeader.FORWARDED);
    FakeRequest request =
        FakeRequest.from("192.0.2.5").header("Forwarded", "for=a, for=203.0.113.10, for=10.0.0.1");
    assertThat(Readers.read(settings, "ip", request)).isEqualTo("203.0.113.10");
  }

  @Test
  void hopsAndNetworksExcludeEachOther() {
    List<Network> networks = List.of(Network.parse("10.0.0.0/8"));
    assertThatThrownBy(() -> hops(1).withTrustedProxies(networks))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("trustedHops: 1 (expected: 0 where there are trustedProxies)");
    assertThatThrownBy(() -> hops(33)).hasMessage("trustedHops: 33 (expected: between 0 and 32)");
  }

  private static @Nullable String client(int hops, @Nullable String peer, @Nullable String list) {
    FakeRequest request = FakeRequest.from(peer);
    if (list != null) {
      request.header("X-Forwarded-For", list);
    }
    return Readers.read(hops(hops), "ip", request);
  }
}
