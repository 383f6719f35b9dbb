package dev.weir.http.identity;

import static dev.weir.http.Readers.hops;
import static dev.weir.http.Readers.read;
import static dev.weir.http.Readers.reader;
import static dev.weir.http.Readers.trusting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.LimitKey;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.key.KeySpace;
import dev.weir.rule.condition.PathReadings;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Known evasions of rate limiters, each of which must fail here. */
class EvasionTest {
  private static final HttpSettings PROXY = trusting("10.0.0.0/8");

  private final KeySpace space = KeySpace.random();

  /** CVE-2026-110723: the leftmost entry was the key, so a client could choose its identity. */
  @Test
  void spoofedForwardedForGivesNoNewIdentity() {
    Set<@Nullable String> direct = new HashSet<>();
    Set<@Nullable String> proxied = new HashSet<>();
    Set<@Nullable String> counted = new HashSet<>();
    for (int i = 0; i < 256; i++) {
      String spoof = "198.51.100." + i;
      FakeRequest alone = FakeRequest.from("203.0.113.7").header("X-Forwarded-For", spoof);
      alone.header("Forwarded", "for=" + spoof).header("X-Real-IP", spoof);
      alone.header("Client-IP", spoof).header("True-Client-IP", spoof);
      direct.add(read("ip", alone));
      direct.add(read(PROXY, "ip", alone));
      FakeRequest behind =
          FakeRequest.from("10.0.0.1").header("X-Forwarded-For", spoof + ", 203.0.113.7");
      proxied.add(read(PROXY, "ip", behind));
      counted.add(read(hops(1), "ip", behind));
    }
    assertThat(direct).containsExactly("203.0.113.7");
    assertThat(proxied).containsExactly("203.0.113.7");
    assertThat(counted).containsExactly("203.0.113.7");
  }

  /** Only its address makes a peer a proxy, never what it writes. */
  @Test
  void spoofedProxyInForwardedForGivesNoNewIdentity() {
    FakeRequest request =
        FakeRequest.from("10.0.0.1")
            .header("X-Forwarded-For", "198.51.100.1, 10.0.0.9, 203.0.113.7");
    assertThat(read(PROXY, "ip", request)).isEqualTo("203.0.113.7");
  }

  /** CVE-2024-45410: the client made one proxy drop what another had added. */
  @Test
  void hopByHopStrippingFallsBackToThePeer() {
    for (String connection : new String[] {"x-forwarded-for", "close, X-Forwarded-For ,te"}) {
      HttpReader reader = reader(PROXY, "ip");
      FakeRequest request =
          FakeRequest.from("10.0.0.1")
              .header("Connection", "keep-alive")
              .header("Connection", connection)
              .header("X-Forwarded-For", "198.51.100.1");
      assertThat(reader.read(request).value("ip")).isEqualTo("10.0.0.1");
      assertThat(reader.meters().of(Event.FORWARDED_UNUSABLE)).isOne();
      assertThat(reader.meters().of(Event.HEADER_HOP_BY_HOP)).isOne();
    }
    FakeRequest stripped = FakeRequest.from("10.0.0.1").header("Connection", "x-forwarded-for");
    assertThat(read(PROXY, "ip", stripped)).as("header already dropped").isEqualTo("10.0.0.1");
  }

  @Test
  void hopByHopHeadersAndCookiesAreUnusable() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "header x-plan", "cookie session", "ip");
    FakeRequest request =
        FakeRequest.get("/")
            .header("Connection", "close, X-Plan, cookie")
            .header("X-Plan", "gold")
            .header("Cookie", "session=a");
    assertThat(reader.read(request).value("header x-plan")).isEqualTo(Descriptor.UNUSABLE);
    assertThat(reader.read(request).value("cookie session")).isEqualTo(Descriptor.UNUSABLE);
    assertThat(reader.meters().of(Event.HEADER_HOP_BY_HOP)).isEqualTo(4);
    FakeRequest nothing =
        FakeRequest.get("/")
            .header("Connection", "X-Plan, cookie")
            .header("X-Plan", "")
            .header("Cookie", "other=a");
    assertThat(reader.read(nothing).value("header x-plan")).isNull();
    assertThat(reader.read(nothing).value("cookie session")).isNull();
    FakeRequest usual =
        FakeRequest.get("/").header("Connection", "keep-alive, x-plan-b").header("X-Plan", "gold");
    assertThat(reader.read(usual).value("header x-plan")).isEqualTo("gold");
    FakeRequest flood =
        FakeRequest.get("/").header("Connection", "a,".repeat(3000)).header("X-Plan", "gold");
    assertThat(reader.read(flood).value("header x-plan")).isEqualTo(Descriptor.UNUSABLE);
  }

  /** A client that spoils a trusted header must not look like one without the header. */
  @Test
  void malformedTrustedHeaderIsUnusableAndReadOnlyFromATrustedPeer() {
    for (String peer : new String[] {"10.0.0.1", "192.0.2.5"}) {
      FakeRequest twice = FakeRequest.from(peer).header("X-Plan", "free").header("X-Plan", "gold");
      FakeRequest dropped =
          FakeRequest.from(peer).header("Connection", "x-plan").header("X-Plan", "free");
      FakeRequest tooLong = FakeRequest.from(peer).header("X-Plan", "x".repeat(8193));
      for (FakeRequest request : new FakeRequest[] {twice, dropped, tooLong}) {
        String value = read(PROXY, "trusted-header x-plan", request);
        assertThat(value).isEqualTo(peer.equals("10.0.0.1") ? Descriptor.UNUSABLE : null);
      }
    }
  }

  /** Proxies append lines: they are one list, not a header with two values. */
  @Test
  void repeatedForwardedForIsOneListButUnusableAsAHeader() {
    FakeRequest request =
        FakeRequest.from("10.0.0.1")
            .header("X-Forwarded-For", "198.51.100.1")
            .header("X-Forwarded-For", "203.0.113.7, 10.0.0.2");
    assertThat(read(PROXY, "ip", request)).isEqualTo("203.0.113.7");
    assertThat(read(PROXY, "header x-forwarded-for", request)).isEqualTo(Descriptor.UNUSABLE);
  }

  /** CVE-2026-30827: masked as IPv6, all IPv4 clients shared one identity. */
  @Test
  void ipv4MappedIpv6IsNeitherOneBucketNorASecondIdentity() {
    Set<@Nullable String> values = new HashSet<>();
    for (String peer :
        new String[] {
          "203.0.113.7",
          "::ffff:203.0.113.7",
          "::ffff:cb00:7107",
          "0:0:0:0:0:FFFF:203.0.113.7",
          "0000:0000:0000:0000:0000:ffff:cb00:7107",
          "::ffff:203.0.113.7%en0"
        }) {
      values.add(read("ip", FakeRequest.from(peer)));
    }
    assertThat(values).containsExactly("203.0.113.7");
    assertThat(read("ip", FakeRequest.from("::ffff:203.0.113.8"))).isEqualTo("203.0.113.8");
  }

  @Test
  void ipv6RotationWithinASubnetGivesNoNewIdentity() {
    Set<@Nullable String> values = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      String peer = "2001:db8:1:2:" + Integer.toHexString(i * 61) + "::" + Integer.toHexString(i);
      values.add(read("ip", FakeRequest.from(peer)));
    }
    assertThat(values).containsExactly("2001:db8:1:2::/64");
    HttpSettings wide = HttpSettings.DEFAULT.withPrefixes(32, 48);
    assertThat(read(wide, "ip", FakeRequest.from("2001:db8:1:ffff::1")))
        .isEqualTo(read(wide, "ip", FakeRequest.from("2001:db8:1:2::1")));
    assertThat(read("ip", FakeRequest.from("2002:cb00:7107:1::1")))
        .as("a 6to4 client has a /48 of its own")
        .isEqualTo(read("ip", FakeRequest.from("2002:cb00:7107:2::1")));
  }

  /** GHSA-24q2-59hm-rh9r: another case or an extra slash evaded the limit. */
  @Test
  void pathCaseAndTrailingSlashGiveNoNewPath() {
    HttpSettings anyCase = HttpSettings.DEFAULT.withPathCaseSensitive(false);
    for (String target : new String[] {"/login", "/Login", "/LOGIN/", "/%4Cogin", "/lo%47in/?x"}) {
      assertThat(read(anyCase, "path", FakeRequest.get(target))).isEqualTo("/login");
    }
  }

  /** GHSA-x732-6j76-qmhm: two slashes evaded the limit. */
  @Test
  void pathSlashesAndDotsGiveNoNewPath() {
    for (String target :
        new String[] {
          "//api/login",
          "/api//login",
          "/api/./login",
          "/api/x/../login",
          "/../api/login",
          "/api/%2e/login",
          "/api/x/%2E%2e/login",
          "/api/login;v=1",
          "/api;v=1/login",
          "http://example.com/api/login",
          "/api/login/."
        }) {
      assertThat(read("path", FakeRequest.get(target))).as(target).isEqualTo("/api/login");
    }
  }

  @Test
  void pathEncodingGivesNoNewPathAndIsUndoneOnlyOnce() {
    assertThat(read("path", FakeRequest.get("/%61pi/l%6Fgin"))).isEqualTo("/api/login");
    assertThat(read("path", FakeRequest.get("/%2561pi/login"))).isEqualTo("/%2561pi/login");
    assertThat(read("path", FakeRequest.get("/a/%252e%252e/login")))
        .isEqualTo("/a/%252e%252e/login");
  }

  @Test
  void anEncodedSlashIsReadBothWaysAndCounted() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "path", "path other-readings");
    for (String target : new String[] {"/api%2Flogin", "/api%5clogin", "/api\\login"}) {
      assertThat(reader.read(FakeRequest.get(target)).value("path")).isEqualTo("/api/login");
      assertThat(reader.read(FakeRequest.get(target)).value("path other-readings"))
          .startsWith("/api%")
          .endsWith("login");
    }
    assertThat(reader.meters().of(Event.PATH_AMBIGUOUS)).isEqualTo(6);
    assertThat(reader.read(FakeRequest.get("/api/login")).value("path other-readings")).isNull();
  }

  /** Tomcat, Jetty and Undertow read {@code /login}; others do not. */
  @Test
  void parametersAreReadInEveryWayAndCounted() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "path", "path other-readings");
    Descriptor read = reader.read(FakeRequest.get("/login;x=%2Fy"));
    assertThat(read.value("path")).isEqualTo("/login");
    assertThat(PathReadings.split(read.value("path other-readings")))
        .containsExactly("/login%3Bx=/y", "/login/y", "/login%3Bx=%2Fy");
    assertThat(reader.meters().of(Event.PATH_AMBIGUOUS)).isOne();
  }

  /** Some servers resolve {@code ..;} like {@code ..}, others read it as a name. */
  @Test
  void dotsBesideDoubtfulDelimitersMeetEveryRuleOnPaths() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "path", "path other-readings");
    for (String target : new String[] {"/api/..;/login", "/x;y/../login", "/x%5Cy%2F..%2Flogin"}) {
      Descriptor read = reader.read(FakeRequest.get(target));
      assertThat(read.value("path")).as(target).isSameAs(Descriptor.UNUSABLE);
      assertThat(read.value("path other-readings")).isNull();
    }
    assertThat(reader.meters().of(Event.PATH_UNUSABLE)).isEqualTo(3);
  }

  @Test
  void duplicateHeadersAreUnusableUnlessEqual() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "header x-api-key");
    FakeRequest two = FakeRequest.get("/").header("X-Api-Key", "a").header("x-api-key", "b");
    assertThat(reader.read(two).value(0)).isEqualTo(Descriptor.UNUSABLE);
    FakeRequest alike = FakeRequest.get("/").header("X-Api-Key", "a").header("x-api-key", " a ");
    assertThat(reader.read(alike).value(0)).isEqualTo("a");
    FakeRequest emptied = FakeRequest.get("/").header("X-Api-Key", "a").header("X-Api-Key", "");
    assertThat(reader.read(emptied).value(0)).isEqualTo(Descriptor.UNUSABLE);
    assertThat(reader.meters().of(Event.HEADER_DUPLICATE)).isEqualTo(2);
  }

  @Test
  void delimitersInValuesJoinNothing() {
    Set<LimitKey> keys = new HashSet<>();
    String[][] pairs = {
      {"a_b", "c"}, {"a", "b_c"}, {"a.b", "c"}, {"a", "b.c"}, {"a:b", "c"}, {"a", "b:c"},
      {"a|b", "c"}, {"a", "b|c"}, {"a,b", "c"}, {"a", "b,c"}, {"a\tb", "c"}, {"a", "b\tc"}
    };
    HttpReader reader = reader(HttpSettings.DEFAULT, "header x-a", "header x-b");
    for (String[] pair : pairs) {
      FakeRequest request = FakeRequest.get("/").header("X-A", pair[0]).header("X-B", pair[1]);
      keys.add(key(reader, request));
    }
    assertThat(keys).hasSize(pairs.length);
  }

  /** A closing brace in a value must not choose the shard that a key lands on. */
  @Test
  void hashTagsInValuesNeverReachTheKey() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "header x-a", "path");
    FakeRequest request = FakeRequest.get("/{x}").header("X-A", "}{user1}");
    assertThat(reader.read(request).value("header x-a")).isEqualTo("}{user1}");
    assertThat(key(reader, request).toString()).matches("[0-9a-f]{32}");
  }

  private LimitKey key(HttpReader reader, FakeRequest request) {
    var read = reader.read(request);
    return space.key(Objects.requireNonNull(read.value(0)), Objects.requireNonNull(read.value(1)));
  }
}
