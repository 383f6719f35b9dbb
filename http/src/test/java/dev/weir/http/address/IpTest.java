package dev.weir.http.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.weir.http.Readers;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpTest {

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "0.0.0.0, 0.0.0.0",
    "255.255.255.255, 255.255.255.255",
    "::, ::",
    "::1, ::1",
    "1::, 1::",
    "2001:DB8::A, 2001:db8::a",
    "2001:0db8:0000:0000:0001:0000:0000:0001, 2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
    "::1.2.3.4, ::102:304",
    "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
    "fe80::1%eth0, fe80::1",
    "fe80::1%2, fe80::1",
  })
  void addressHasOneCanonicalText(String written, String canonical) {
    assertThat(Ip.parse(written)).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "01.2.3.4",
        "1.2.3.04",
        "0x1.2.3.4",
        "1.2.3.4 ",
        " 1.2.3.4",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "1.2.3.-4",
        "1.2.3.4%eth0",
        "3232235777",
        "1.2.3.4/32",
        "localhost",
        "example.com",
        "unknown",
        "_hidden",
        ":",
        ":::",
        "1:",
        ":1",
        "::1::",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "::1:2:3:4:5:6:7:8",
        "1::2::3",
        "12345::",
        "g::",
        "[::1]",
        "::1%",
        "::1%a b",
        "::1.2.3",
        "::1.2.3.4.5",
        "::1.2.3.4:5",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::01.2.3.4",
        "٣.٣.٣.٣",
        "::٣",
        "1.2.3.4:80"
      })
  void malformedAddressIsRejected(String text) {
    assertThat(Ip.parse(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "::ffff:192.0.2.1",
        "::FFFF:192.0.2.1",
        "::ffff:c000:201",
        "::ffff:c000:0201",
        "0:0:0:0:0:ffff:192.0.2.1",
        "0:0:0:0:0:ffff:c000:201",
        "0000:0000:0000:0000:0000:ffff:c000:0201",
        "::0:ffff:c000:201",
        "0::ffff:192.0.2.1",
        "::ffff:192.0.2.1%eth0",
        "64:ff9b::192.0.2.1",
        "64:ff9b::c000:201",
        "0064:FF9B:0:0:0:0:c000:0201",
      })
  void ipv4EmbeddedInIpv6IsIpv4(String text) {
    assertThat(Ip.parse(text)).isEqualTo(Ip.parse("192.0.2.1")).hasToString("192.0.2.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "127.0.0.1", "172.31.0.1", "192.168.1.1", "100.64.0.1"})
  void nat64PrefixDoesNotImpersonateAnotherAddress(String inside) {
    assertThat(Ip.parse("64:ff9b::" + inside)).isNotEqualTo(Ip.parse(inside));
    assertThat(Ip.parse("::ffff:" + inside)).isEqualTo(Ip.parse(inside));
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.129, 32, 64, 192.0.2.129",
    "192.0.2.129, 24, 64, 192.0.2.0/24",
    "192.0.2.129, 1, 64, 128.0.0.0/1",
    "2001:db8:1:2:3:4:5:6, 32, 64, 2001:db8:1:2::/64",
    "2001:db8:1:2:3:4:5:6, 32, 56, 2001:db8:1::/56",
    "2001:db8:1:2:3:4:5:6, 32, 48, 2001:db8:1::/48",
    "2001:db8:1:2:3:4:5:6, 32, 128, 2001:db8:1:2:3:4:5:6",
    "2001:db8:1:2:3:4:5:6, 32, 127, 2001:db8:1:2:3:4:5:6/127",
    "2001:db8:1:2:3:4:5:6, 32, 65, 2001:db8:1:2::/65",
    "2001:db8:1:2:3:4:5:6, 32, 1, ::/1",
    "2002:c000:201:1::1, 32, 64, 2002:c000:201::/48",
    "2002:c000:201:1::1, 32, 128, 2002:c000:201::/48",
    "2002:c000:201:1::1, 32, 32, 2002:c000::/32",
  })
  void prefixIsCanonical(String address, int v4, int v6, String prefix) {
    Ip ip = Readers.ip(address);
    assertThat(ip.prefix(v4, v6)).isEqualTo(prefix);
  }

  @Test
  void prefixOfZeroBitsIsRejected() {
    Ip ip = Readers.ip("::1");
    assertThatThrownBy(() -> ip.prefix(32, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ipv6Prefix: 0 (expected: between 1 and 128)");
  }

  /** The JDK parses the same addresses, where it does not query a name server. */
  @Test
  void textAndBitsAgreeWithTheJdk() throws UnknownHostException {
    long seed = 20_260_101;
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
      random.nextBytes(bytes);
      for (int zero = 0; zero + 1 < bytes.length && bytes.length == 16; zero += 2) {
        if (random.nextBoolean()) {
          bytes[zero] = 0;
          bytes[zero + 1] = random.nextBoolean() ? 0 : bytes[zero + 1];
        }
      }
      InetAddress address = InetAddress.getByAddress(bytes);
      Ip ip = Readers.ip(address.getHostAddress());
      if (!InetAddress.getByName(ip.toString()).equals(address)
          || !ip.equals(Ip.parse(ip.toString()))) {
        fail("seed %d, round %d: %s became %s", seed, i, address, ip);
      }
    }
  }
}
