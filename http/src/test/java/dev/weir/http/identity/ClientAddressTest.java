package dev.weir.http.identity;

import static dev.weir.http.Readers.hops;
import static dev.weir.http.Readers.reader;
import static dev.weir.http.Readers.trusting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.Readers;
import dev.weir.http.address.ForwardedHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client address behind proxies in trusted networks. */
class ClientAddressTest {
  private static final HttpSettings PROXIES = trusting("10.0.0.0/8", "fd00::/8");
  private static final HttpSettings RFC_7239 =
      PROXIES.withForwardedHeader(ForwardedHeader.FORWARDED);

  @Test
  void clientIsThePeerWhenNoProxyIsTrusted() {
    FakeRequest request =
        FakeRequest.from("192.0.2.5")
            .header("X-Forwarded-For", "203.0.113.1")
            .header("Forwarded", "for=203.0.113.2");
    assertThat(Readers.read("ip", request)).isEqualTo("192.0.2.5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "203.0.113.1 > 203.0.113.1",
        "203.0.113.1, 10.0.0.2 > 203.0.113.1",
        "198.51.100.9, 203.0.113.1, 10.0.0.2, 10.0.0.3 > 203.0.113.1",
        "10.0.0.9, 203.0.113.1 > 203.0.113.1",
        "10.0.0.9, 10.0.0.8 > 10.0.0.9",
        "203.0.113.1:4711, 10.0.0.2:80 > 203.0.113.1",
        "2001:db8::1, fd00::1 > 2001:db8::1",
        "[2001:db8::1]:80, [fd00::1] > 2001:db8::1",
        "::ffff:203.0.113.1, ::ffff:10.0.0.1 > 203.0.113.1",
        "fe80::1%eth0 > fe80::1",
        "'203.0.113.1,, ,10.0.0.2, ' > 203.0.113.1",
        "'  203.0.113.1\t,\t10.0.0.2' > 203.0.113.1",
        "garbage, 203.0.113.1, 10.0.0.2 > 203.0.113.1",
        "'\", 203.0.113.1' > 203.0.113.1",
      })
  void clientIsTheRightmostEntryThatIsNoTrustedProxy(String header, String client) {
    HttpReader reader = reader(PROXIES, "ip exact");
    FakeRequest request = FakeRequest.from("10.0.0.1").header("X-Forwarded-For", header);
    assertThat(reader.read(request).value("ip exact")).isEqualTo(client);
    assertThat(reader.meters().of(Event.FORWARDED_UNUSABLE)).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unknown", "_hidden", "203.0.113.1, unknown", "203.0.113.1, _x, 10.0.0.2", "example.com",
        "203.0.113.1:", "203.0.113.1:x", "203.0.113.1:123456", "[203.0.113.1]", "[2001:db8::1",
        "2001:db8::1]", "[2001:db8::1]80", "203.0.113.256", "0203.0.113.1", "203.0.113.1 10.0.0.2",
        "\"203.0.113.1\"", "203.0.113.1;10.0.0.1", "-"
      })
  void malformedEntryMakesThePeerTheClient(String header) {
    HttpReader reader = reader(PROXIES, "ip");
    FakeRequest request = FakeRequest.from("10.0.0.1").header("X-Forwarded-For", header);
    assertThat(reader.read(request).value("ip")).isEqualTo("10.0.0.1");
    assertThat(reader.meters().of(Event.FORWARDED_UNUSABLE)).isOne();
  }

  @Test
  void repeatedForwardedForLinesAreOneList() {
    FakeRequest request =
        FakeRequest.from("10.0.0.1")
            .header("X-Forwarded-For", "198.51.100.9")
            .header("x-forwarded-for", "203.0.113.1, 10.0.0.2")
            .header("X-FORWARDED-FOR", "")
            .header("X-Forwarded-For", "10.0.0.3");
    assertThat(Readers.read(PROXIES, "ip", request)).isEqualTo("203.0.113.1");
  }

  @Test
  void trustedPeerWithoutTheHeaderIsTheClient() {
    HttpReader reader = reader(PROXIES, "ip");
    assertThat(reader.read(FakeRequest.from("10.0.0.1")).value("ip")).isEqualTo("10.0.0.1");
    FakeRequest blank = FakeRequest.from("10.0.0.1").header("X-Forwarded-For", " , ");
    assertThat(reader.read(blank).value("ip")).isEqualTo("10.0.0.1");
    assertThat(reader.meters().of(Event.FORWARDED_UNUSABLE)).isZero();
  }

  @Test
  void onlyTheConfiguredForwardedHeaderIsRead() {
    FakeRequest request =
        FakeRequest.from("10.0.0.1")
            .header("X-Forwarded-For", "203.0.113.1")
            .header("Forwarded", "for=203.0.113.2");
    assertThat(Readers.read(PROXIES, "ip", request)).isEqualTo("203.0.113.1");
    assertThat(Readers.read(RFC_7239, "ip", request)).isEqualTo("203.0.113.2");
    FakeRequest other = FakeRequest.from("10.0.0.1").header("Forwarded", "for=203.0.113.2");
    assertThat(Readers.read(PROXIES, "ip", other)).isEqualTo("10.0.0.1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '\'',
      value = {
        "for=203.0.113.1 > 203.0.113.1",
        "For=203.0.113.1;Proto=https;BY=10.0.0.1 > 203.0.113.1",
        "proto=https;for=203.0.113.1 > 203.0.113.1",
        "for=198.51.100.9, for=203.0.113.1, for=10.0.0.2 > 203.0.113.1",
        "for=\"[2001:db8:cafe::17]:4711\" > 2001:db8:cafe::17",
        "for=\"[2001:db8::1]\", for=\"[fd00::1]\";host=\"a,b;c\" > 2001:db8::1",
        "for=\"203.0.113.1:80\" > 203.0.113.1",
        "for=\"203.0.113.1:_port\" > 203.0.113.1",
        "for=203.0.113.1:80 > 203.0.113.1",
        "for=[2001:db8::1] > 2001:db8::1",
        "for=\"203\\.0.113.1\" > 203.0.113.1",
        "for=203.0.113.1;x=\"a\\\",for=198.51.100.9;y=\\\\\" > 203.0.113.1",
        "'for=203.0.113.1 ; proto=http , for=10.0.0.2;' > 203.0.113.1",
        "for=\", for=203.0.113.1 > 203.0.113.1",
        "x=\\\", for=203.0.113.1 > 203.0.113.1",
      })
  void forwardedIsParsedAsInRfc7239(String header, String client) {
    HttpReader reader = reader(RFC_7239, "ip exact");
    FakeRequest request = FakeRequest.from("10.0.0.1").header("Forwarded", header);
    assertThat(reader.read(request).value("ip exact")).isEqualTo(client);
    assertThat(reader.meters().of(Event.FORWARDED_UNUSABLE)).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for=unknown",
        "for=_hidden",
        "for=\"_hidden\"",
        "proto=https",
        "for=",
        "for",
        "=203.0.113.1",
        "for=203.0.113.1;for=203.0.113.2",
        "for=2001:db8::1",
        "for=\"2001:db8::1\"",
        "for=\"203.0.113.1",
        "for= 203.0.113.1",
        "for =203.0.113.1",
        "for=203.0.113.1 proto=http",
        "203.0.113.1",
        "for=\"203.0.113.1\"x",
        "for=203.0.113.1;proto",
        "for=\"203.0.113.1\\",
        "for=(203.0.113.1)"
      })
  void unusableForwardedElementMakesThePeerTheClient(String header) {
    HttpReader reader = reader(RFC_7239, "ip");
    FakeRequest request = FakeRequest.from("10.0.0.1").header("Forwarded", header);
    assertThat(reader.read(request).value("ip")).isEqualTo("10.0.0.1");
    assertThat(reader.meters().of(Event.FORWARDED_UNUSABLE)).isOne();
  }

  @Test
  void repeatedForwardedLinesAreOneList() {
    FakeRequest request =
        FakeRequest.from("10.0.0.1")
            .header("Forwarded", "for=198.51.100.9")
            .header("Forwarded", "for=203.0.113.1;by=\"x,y\", for=10.0.0.2")
            .header("Forwarded", "for=10.0.0.3");
    assertThat(Readers.read(RFC_7239, "ip", request)).isEqualTo("203.0.113.1");
  }

  @Test
  void overlongChainMakesThePeerTheClient() {
    HttpReader reader = reader(PROXIES, "ip");
    String longest = "203.0.113.1" + ", 10.0.0.2".repeat(31);
    FakeRequest request = FakeRequest.from("10.0.0.1").header("X-Forwarded-For", longest);
    assertThat(reader.read(request).value("ip")).isEqualTo("203.0.113.1");
    request = FakeRequest.from("10.0.0.1").header("X-Forwarded-For", longest + ", 10.0.0.3");
    assertThat(reader.read(request).value("ip")).isEqualTo("10.0.0.1");
    String wide = "203.0.113.1," + " ".repeat(4096) + "10.0.0.2";
    request = FakeRequest.from("10.0.0.1").header("X-Forwarded-For", wide);
    assertThat(reader.read(request).value("ip")).isEqualTo("10.0.0.1");
    request = FakeRequest.from("10.0.0.1").header("X-Forwarded-For", ",".repeat(5000));
    assertThat(reader.read(request).value("ip")).isEqualTo("10.0.0.1");
    assertThat(reader.meters().of(Event.FORWARDED_UNUSABLE)).isEqualTo(3);
  }

  @Test
  void malformedForwardedEntryOfAClientDoesNotInvalidateThatOfAProxy() {
    String flood = "198.51.100.9,".repeat(10_000) + "\"".repeat(9);
    for (HttpSettings settings : new HttpSettings[] {PROXIES, hops(1)}) {
      HttpReader reader = reader(settings, "ip");
      FakeRequest request =
          FakeRequest.from("10.0.0.1").header("X-Forwarded-For", flood + ", 203.0.113.1");
      assertThat(reader.read(request).value("ip")).isEqualTo("203.0.113.1");
      assertThat(reader.meters().of(Event.FORWARDED_UNUSABLE)).isZero();
    }
    FakeRequest request =
        FakeRequest.from("10.0.0.1").header("Forwarded", flood + ", for=203.0.113.1");
    assertThat(Readers.read(RFC_7239, "ip", request)).isEqualTo("203.0.113.1");
  }

  @Test
  void requestWithoutPeerHasNoAddressAndNoTrustedHeaders() {
    HttpReader reader = reader(PROXIES, "ip", "ip exact", "trusted-header x-plan");
    FakeRequest socket =
        FakeRequest.from(null).header("X-Forwarded-For", "203.0.113.1").header("X-Plan", "gold");
    assertThat(reader.read(socket).value("ip")).isNull();
    assertThat(reader.read(socket).value("trusted-header x-plan")).isNull();
    assertThat(reader.meters().of(Event.PEER_UNUSABLE)).isZero();
    assertThat(reader.read(FakeRequest.from("somewhere")).value("ip exact")).isNull();
    assertThat(reader.meters().of(Event.PEER_UNUSABLE)).isOne();
  }
}
