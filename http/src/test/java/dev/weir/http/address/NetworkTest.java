package dev.weir.http.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.http.Readers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.1.2, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.0.0.0/8, ::ffff:10.1.1.1, true",
    "10.0.0.0/8, 64:ff9b::10.1.1.1, false",
    "0.0.0.0/0, 203.0.113.1, true",
    "0.0.0.0/0, 2001:db8::1, false",
    "::/0, 2001:db8::1, true",
    "::/0, 203.0.113.1, false",
    "192.0.2.1, 192.0.2.1, true",
    "192.0.2.1, 192.0.2.2, false",
    "192.0.2.1/32, 192.0.2.1, true",
    "2001:db8::/32, 2001:db8:ffff::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "2001:db8::/65, 2001:db8::8000:0:0:0, false",
    "2001:db8::/65, 2001:db8::7fff:0:0:0, true",
    "::1, ::1, true",
    "::1, ::2, false",
    "::ffff:10.0.0.0/104, 10.9.9.9, true",
    "::ffff:10.0.0.0/104, 11.0.0.0, false",
  })
  void networkContainsTheAddressesWithItsPrefix(String network, String address, boolean holds) {
    assertThat(Network.parse(network).contains(Readers.ip(address))).isEqualTo(holds);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/8",
        "10.0.0.0/",
        "10.0.0.0/x",
        "10.0.0.0/-1",
        "10.0.0.0/+8",
        "10.0.0.0/8/8",
        "10.0.0/8",
        "example.com",
        "[::1]/128",
        "fe80::1%eth0",
        "fe80::%eth0/64",
        "10.0.0.0/0008"
      })
  void malformedNetworkIsRejectedWithTheExpectedForms(String text) {
    assertThatThrownBy(() -> Network.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("network: " + text + " (expected: ");
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.0/33, 32", "10.0.0.0/08, 32", "::/129, 128", "::/999, 128"})
  void prefixLengthBeyondTheAddressIsRejected(String text, int max) {
    assertThatThrownBy(() -> Network.parse(text))
        .hasMessage("network: " + text + " (expected: a prefix length between 0 and " + max + ")");
  }

  @Test
  void bitsAfterThePrefixAreRejectedWithTheProbableNetwork() {
    assertThatThrownBy(() -> Network.parse("10.1.2.3/8"))
        .hasMessage(
            "network: 10.1.2.3/8 (expected: no bits after the first 8, probably 10.0.0.0/8)");
    assertThatThrownBy(() -> Network.parse("2001:db8::1/32"))
        .hasMessageEndingWith("probably 2001:db8::/32)");
  }

  @Test
  void nat64NetworkIsRejectedBecauseItsAddressesCountAsIpv4() {
    assertThatThrownBy(() -> Network.parse("64:ff9b::/96"))
        .hasMessage(
            "network: 64:ff9b::/96 (expected: the IPv4 network: NAT64 addresses count as IPv4)");
  }

  @Test
  void networkPrintsCanonically() {
    assertThat(Network.parse("2001:DB8:0::/32")).hasToString("2001:db8::/32");
    assertThat(Network.parse("192.0.2.1/32")).hasToString("192.0.2.1");
    assertThat(Network.parse("::ffff:10.0.0.0/104"))
        .isEqualTo(Network.parse("10.0.0.0/8"))
        .hasSameHashCodeAs(Network.parse("10.0.0.0/8"));
  }
}
