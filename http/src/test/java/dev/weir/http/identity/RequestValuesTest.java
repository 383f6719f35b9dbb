package dev.weir.http.identity;

import static dev.weir.http.Readers.hops;
import static dev.weir.http.Readers.read;
import static dev.weir.http.Readers.reader;
import static dev.weir.http.Readers.trusting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestValuesTest {

  @Test
  void readerReadsTheConfiguredNamesInOrder() {
    HttpReader reader =
        reader(
            HttpSettings.DEFAULT,
            "path",
            "entry tenant",
            "method",
            "header x-plan",
            "host",
            "ip",
            "cookie session",
            "path other-readings",
            "jwt sub");
    FakeRequest request =
        FakeRequest.get("/a//b?c")
            .method("post")
            .authority("API.Example.com:8443")
            .header("X-Plan", " gold ")
            .header("Cookie", "a=b; session=s1; c=d");
    Descriptor read = reader.read(request);
    assertThat(read)
        .isEqualTo(
            Descriptor.of(
                read.names(),
                "/a/b",
                null,
                "POST",
                "gold",
                "api.example.com",
                "192.0.2.5",
                "s1",
                null,
                null));
  }

  @ParameterizedTest
  @CsvSource({
    "example.com, example.com",
    "EXAMPLE.COM:80, example.com",
    "example.com., example.com",
    "example.com.:443, example.com",
    "example.com:, example.com",
    "192.0.2.1:80, 192.0.2.1",
    "[2001:DB8::1]:80, [2001:db8::1]",
    "[2001:db8:0::1], [2001:db8::1]",
    "[::ffff:192.0.2.1], 192.0.2.1",
    "my_host, my_host",
  })
  void hostIsNormalized(String authority, String host) {
    assertThat(read("host", FakeRequest.get("/").authority(authority))).isEqualTo(host);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\t",
        ".",
        ":80",
        "example.com:abc",
        "a!b.example.com",
        "a..example.com",
        ".example.com",
        "example.com..",
        "user:pass@example.com:80",
        "example.com@",
        "a.com, b.com",
        "a.com;b",
        "a.com\\b",
        "a%2Ecom",
        "[::1]:x",
        "[fe80::1%25eth0]",
        "a b",
        "a,b",
        "a/b",
        "a:b",
        "a:1:2",
        "[::1",
        "[::1]x",
        "[1.2.3.4]",
        "2001:db8::1",
        "[x]",
        "exämple.com",
        "a\u0000b",
        "@"
      })
  void invalidHostNameIsUnusable(String authority) {
    HttpReader reader = reader(HttpSettings.DEFAULT, "host");
    assertThat(reader.read(FakeRequest.get("/").authority(authority)).value("host"))
        .isSameAs(Descriptor.UNUSABLE);
    assertThat(reader.meters().of(Event.HOST_UNUSABLE)).isOne();
  }

  @Test
  void overlongHostIsUnusable() {
    String label = "a".repeat(63);
    String longest = String.join(".", label, label, label, "a".repeat(61));
    assertThat(read("host", FakeRequest.get("/").authority(longest + ".:80"))).isEqualTo(longest);
    for (String tooLong : new String[] {longest + "a", label + "a.com", "b." + longest}) {
      assertThat(read("host", FakeRequest.get("/").authority(tooLong)))
          .isSameAs(Descriptor.UNUSABLE);
    }
  }

  @Test
  void missingHostIsAbsent() {
    assertThat(read("host", FakeRequest.get("/").authority(null))).isNull();
  }

  /** By RFC 9112 the target takes precedence, but many applications read the header. */
  @Test
  void hostOfTheTargetThatDiffersFromTheHeaderIsUnusable() {
    FakeRequest request = FakeRequest.get("http://Api.example.com:80/x");
    assertThat(read("host", request.authority(null))).isEqualTo("api.example.com");
    assertThat(read("host", request.authority("api.example.com."))).isEqualTo("api.example.com");
    for (String other : new String[] {"other.example", "", "a!b"}) {
      assertThat(read("host", request.authority(other))).as(other).isSameAs(Descriptor.UNUSABLE);
    }
  }

  @Test
  void methodIsInUpperCaseOrUnusable() {
    assertThat(read("method", FakeRequest.get("/").method("pAtCh"))).isEqualTo("PATCH");
    for (String wrong : new String[] {"", "GE T", "A".repeat(33), "POST,GET"}) {
      assertThat(read("method", FakeRequest.get("/").method(wrong)))
          .as(wrong)
          .isSameAs(Descriptor.UNUSABLE);
    }
  }

  @Test
  void emptyHeaderIsAbsent() {
    assertThat(read("header x-plan", FakeRequest.get("/").header("X-Plan", " \t"))).isNull();
    assertThat(read("header x-plan", FakeRequest.get("/"))).isNull();
  }

  @Test
  void overlongHeaderIsUnusableAndCounted() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "header x-plan", "cookie c");
    String longest = "x".repeat(8192);
    FakeRequest fits =
        FakeRequest.get("/").header("X-Plan", longest).header("Cookie", "c=" + longest);
    assertThat(reader.read(fits).value(0)).isEqualTo(longest);
    assertThat(reader.read(fits).value(1)).isEqualTo(longest);
    FakeRequest tooLong =
        FakeRequest.get("/").header("X-Plan", longest + "x").header("Cookie", "c=x" + longest);
    assertThat(reader.read(tooLong).value(0)).isEqualTo(Descriptor.UNUSABLE);
    assertThat(reader.read(tooLong).value(1)).isEqualTo(Descriptor.UNUSABLE);
    assertThat(reader.meters().of(Event.HEADER_OVERSIZED)).isEqualTo(4);
    FakeRequest flood =
        FakeRequest.get("/").header("Cookie", "c=1").header("Cookie", "d=" + longest.repeat(8));
    assertThat(reader.read(flood).value(1)).isEqualTo(Descriptor.UNUSABLE);
  }

  @Test
  void trustedHeaderIsReadOnlyFromATrustedPeer() {
    FakeRequest fromProxy = FakeRequest.from("10.0.0.1").header("X-User", "ann");
    FakeRequest fromClient = FakeRequest.from("192.0.2.5").header("X-User", "ann");
    HttpSettings proxies = trusting("10.0.0.0/8");
    assertThat(read("trusted-header x-user", fromProxy)).isNull();
    assertThat(read(proxies, "trusted-header x-user", fromClient)).isNull();
    assertThat(read(proxies, "trusted-header x-user", fromProxy)).isEqualTo("ann");
    assertThat(read(proxies, "header x-user", fromClient)).isEqualTo("ann");
    assertThat(read(hops(1), "trusted-header x-user", fromClient)).isEqualTo("ann");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '\'',
      value = {
        "session=a > a",
        "x=y;session=a;z > a",
        "' session = a ' > a",
        "session=\"a\" > a",
        "session=a=b== > a=b==",
        "xsession=b; session=a > a",
        "session=a; session=a > a",
        "session=a;;; > a",
        "session=a; session=\"a\" > a",
        "Session=a; session=a > a",
        "session=a; sess%69on=a > a",
        "session=a; x=1, session=a > a",
        "session=a; y=session=b > a",
        "session=a; y=xsession=b > a",
        "session=a; y=b+session=b > a",
        "session=a; y=b&session=b > a",
        "session=a; x[session]=b > a",
        "session=a, b > a, b",
      })
  void cookieIsFoundAmongOthers(String header, String value) {
    assertThat(read("cookie session", FakeRequest.get("/").header("Cookie", header)))
        .isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "session", "session=", "session=\"\"", "=a", "xsession=a", "; ;", "Session="})
  void cookieWithoutValueIsAbsent(String header) {
    assertThat(read("cookie session", FakeRequest.get("/").header("Cookie", header))).isNull();
  }

  @Test
  void cookieWithTwoValuesIsUnusableAcrossHeaderLinesToo() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "cookie session", "cookie other");
    FakeRequest request =
        FakeRequest.get("/").header("Cookie", "session=a; other=x").header("Cookie", "session=b");
    assertThat(reader.read(request).value("cookie session")).isEqualTo(Descriptor.UNUSABLE);
    assertThat(reader.read(request).value("cookie other")).isEqualTo("x");
    assertThat(reader.meters().of(Event.COOKIE_DUPLICATE)).isEqualTo(2);
    FakeRequest emptied = FakeRequest.get("/").header("Cookie", "session=a; session=");
    assertThat(reader.read(emptied).value("cookie session")).isEqualTo(Descriptor.UNUSABLE);
  }

  @Test
  void readerOfOtherNamesAndSettingsSharesTheMeters() {
    HttpReader first = reader(HttpSettings.DEFAULT, "header a");
    HttpReader second =
        first.reconfigured(
            HttpSettings.DEFAULT.withTrustedHops(1), Descriptor.Names.of(List.of("header b")));
    FakeRequest request = FakeRequest.get("/").header("b", "1").header("b", "2");
    assertThat(second.read(request).value("header b")).isEqualTo(Descriptor.UNUSABLE);
    assertThat(first.meters().counts()).containsEntry("header-duplicate", 1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "method",
        "host",
        "path",
        "path other-readings",
        "ip",
        "ip exact",
        "header x-plan",
        "trusted-header x-user",
        "cookie Session",
        "jwt sub",
        "jwt org.id",
        "jwt https://example.com/plan"
      })
  void validNamesHaveNoProblem(String name) {
    assertThat(HttpReader.problem(name)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "Method", "entry tenant", "ip prefix", "path ", "header", "header ", "header X-Plan",
        "header a b", "cookie", "cookie ", "cookie a=b", "jwt", "jwt ", "jwt  sub", "headerx"
      })
  void invalidNamesHaveAProblemWithTheExpectedForm(String name) {
    assertThat(HttpReader.problem(name)).startsWith(name + " (expected: ");
    assertThat(read(name, FakeRequest.get("/").header("x-plan", "a"))).isNull();
  }

  @Test
  void problemNamesTheExpectedForm() {
    assertThat(HttpReader.problem("header X-Plan"))
        .isEqualTo(
            "header X-Plan (expected: a header's name in lower case, such as header x-plan)");
  }

  @Test
  void prefixLengthsBeyondTheAddressAreRejected() {
    assertThatThrownBy(() -> HttpSettings.DEFAULT.withPrefixes(32, 129))
        .hasMessage("ipv6Prefix: 129 (expected: between 1 and 128)");
    assertThatThrownBy(() -> HttpSettings.DEFAULT.withPrefixes(0, 64))
        .hasMessage("ipv4Prefix: 0 (expected: between 1 and 32)");
  }
}
