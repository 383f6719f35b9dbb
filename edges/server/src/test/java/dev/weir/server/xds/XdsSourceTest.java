package dev.weir.server.xds;

import static dev.weir.server.xds.TestConfigs.config;
import static dev.weir.server.xds.TestConfigs.daily;
import static dev.weir.server.xds.TestConfigs.descriptor;
import static dev.weir.server.xds.TestConfigs.limited;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.weir.envoy.ratelimit.config.v3.RateLimitConfig;
import dev.weir.envoy.ratelimit.config.v3.RateLimitUnit;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Metadata;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The xDS protocol between a management server and the source. */
@Timeout(60)
class XdsSourceTest {
  private static Metadata.Key<String> header(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private static void assertTaken(DiscoveryRequest answer, String version, String nonce) {
    assertThat(answer.getVersionInfo()).isEqualTo(version);
    assertThat(answer.getResponseNonce()).isEqualTo(nonce);
    assertThat(answer.hasErrorDetail()).as(answer.getErrorDetail().getMessage()).isFalse();
    assertThat(answer.getTypeUrl()).isEqualTo(ManagementServer.TYPE_URL);
  }

  private static String refusal(DiscoveryRequest answer, String version, String nonce) {
    assertThat(answer.getVersionInfo()).isEqualTo(version);
    assertThat(answer.getResponseNonce()).isEqualTo(nonce);
    assertThat(answer.getErrorDetail().getCode()).isEqualTo(3);
    return answer.getErrorDetail().getMessage();
  }

  @Test
  void firstRequestNamesNodeAndType() throws Exception {
    try (ManagementServer server = ManagementServer.start();
        LoadedRules taken =
            new LoadedRules(
                XdsSettings.at(server.address())
                    .withNode("edge-7", Map.of("zone", "b"))
                    .withHeaders(Map.of("X-Token", "s3cret")))) {
      DiscoveryRequest first = server.stream().next();
      assertThat(first.getNode().getId()).isEqualTo("edge-7");
      assertThat(first.getNode().getMetadata().getFieldsOrThrow("zone").getStringValue())
          .isEqualTo("b");
      assertThat(first.getTypeUrl()).isEqualTo(ManagementServer.TYPE_URL);
      assertThat(first.getVersionInfo()).isEmpty();
      assertThat(first.getResponseNonce()).isEmpty();
      assertThat(first.getResourceNamesList()).isEmpty();
      assertThat(server.headers().get(header("x-token"))).isEqualTo("s3cret");
      assertThat(taken.board.isLoaded()).isFalse();
    }
  }

  @Test
  void eachVersionIsTheWholeConfiguration() throws Exception {
    try (ManagementServer server = ManagementServer.start();
        LoadedRules taken = LoadedRules.from(server)) {
      ManagementServer.Stream stream = server.subscribed();
      stream.send("v1", "n1", daily("shop", 1), daily("shelf", 2));
      assertTaken(stream.next(), "v1", "n1");
      assertThat(taken.limits()).containsExactly("shop.one 1 DAY", "shelf.one 2 DAY");
      assertThat(taken.board.isLoaded()).isTrue();
      stream.send("v2", "n2", daily("shop", 3));
      assertTaken(stream.next(), "v2", "n2");
      assertThat(taken.limits()).containsExactly("shop.one 3 DAY");
      stream.send("v3", "n3");
      assertTaken(stream.next(), "v3", "n3");
      assertThat(taken.limits()).isEmpty();
      assertThat(stream.isQuiet()).isTrue();
    }
  }

  @Test
  void emptyConfigurationIsAccepted() throws Exception {
    try (ManagementServer server = ManagementServer.start();
        LoadedRules taken = LoadedRules.from(server)) {
      ManagementServer.Stream stream = server.subscribed();
      stream.send("v1", "n1");
      assertTaken(stream.next(), "v1", "n1");
      assertThat(taken.board.isLoaded()).isTrue();
    }
  }

  @Test
  void invalidVersionIsRejectedWithReasonAndPreviousStaysActive() throws Exception {
    try (ManagementServer server = ManagementServer.start();
        LoadedRules taken = LoadedRules.from(server)) {
      ManagementServer.Stream stream = server.subscribed();
      RateLimitConfig bad =
          config(
              "shop.cfg",
              "shop",
              descriptor("a", ""),
              limited("b", 5, RateLimitUnit.UNKNOWN)
                  .addDescriptors(limited("c", 5, RateLimitUnit.DAY))
                  .addDescriptors(descriptor("", "x")));
      String problems =
          "shop.cfg:2:71: unit: unknown (expected: one of day, hour, minute, month, second, week,"
              + " year)\nshop.cfg:4:7: key: nothing (expected: a key)";
      stream.send("v1", "n1", bad);
      assertThat(refusal(stream.next(), "", "n1")).isEqualTo(problems);
      assertThat(taken.board.isLoaded()).isFalse();
      stream.send("v2", "n2", daily("shop", 1));
      assertTaken(stream.next(), "v2", "n2");
      stream.send("v3", "n3", bad, daily("shelf", 1));
      assertThat(refusal(stream.next(), "v2", "n3")).isEqualTo(problems);
      assertThat(taken.limits()).containsExactly("shop.one 1 DAY");
      assertThat(taken.board.status().problems()).containsExactly(problems.split("\n"));
      stream.send("v4", "n4", daily("shop", 2));
      assertTaken(stream.next(), "v4", "n4");
      assertThat(taken.board.status().problems()).isEmpty();
    }
  }

  @Test
  void serverThatRepeatsRejectedVersionIsSlowedDown() throws Exception {
    try (ManagementServer server = ManagementServer.start();
        LoadedRules taken = LoadedRules.from(server)) {
      ManagementServer.Stream stream = server.subscribed();
      long start = System.nanoTime();
      for (int i = 1; i <= 3; i++) {
        stream.send("v", "n" + i, config("shop.cfg", ""));
        assertThat(refusal(stream.next(), "", "n" + i))
            .isEqualTo("shop.cfg:1:10: domain: nothing (expected: a name)");
      }
      assertThat(System.nanoTime() - start).isGreaterThan(1_400_000_000L);
      assertThat(taken.board.status().refusals()).isEqualTo(1);
    }
  }

  @Test
  void longListOfProblemsIsTruncated() throws Exception {
    RateLimitConfig.Builder bad = RateLimitConfig.newBuilder().setName("n").setDomain("d");
    for (int i = 0; i < 500; i++) {
      bad.addDescriptors(limited("key" + i, 1, RateLimitUnit.UNKNOWN));
    }
    try (ManagementServer server = ManagementServer.start();
        LoadedRules taken = LoadedRules.from(server)) {
      ManagementServer.Stream stream = server.subscribed();
      stream.send("v1", "n1", bad.build());
      assertThat(refusal(stream.next(), "", "n1")).hasSize(4_001).startsWith("n:1:").endsWith("…");
      assertThat(taken.limits()).isEmpty();
    }
  }

  @Test
  void resourceOfAnotherTypeIsRejected() throws Exception {
    try (ManagementServer server = ManagementServer.start();
        LoadedRules taken = LoadedRules.from(server)) {
      ManagementServer.Stream stream = server.subscribed();
      stream.send("v1", "n1", daily("shop", 1));
      assertTaken(stream.next(), "v1", "n1");
      ByteString good = daily("shelf", 1).toByteString();
      DiscoveryResponse.Builder other =
          ManagementServer.response("v2", "n2").setTypeUrl("type.googleapis.com/other.Type");
      stream.send(other);
      assertThat(refusal(stream.next(), "v1", "n2"))
          .isEqualTo(
              "type_url: type.googleapis.com/other.Type (expected: "
                  + ManagementServer.TYPE_URL
                  + ")");
      stream.send(
          ManagementServer.response("v3", "n3")
              .addResources(ManagementServer.resource(ManagementServer.TYPE_URL, good))
              .addResources(ManagementServer.resource("x/y\nz", good)));
      assertThat(refusal(stream.next(), "v1", "n3"))
          .isEqualTo("resource 2: type_url: x/y?z (expected: " + ManagementServer.TYPE_URL + ")");
      ByteString garbage = ByteString.copyFrom(new byte[] {10, 127, 1, 2, 3});
      stream.send(
          ManagementServer.response("v4", "n4")
              .addResources(ManagementServer.resource(ManagementServer.TYPE_URL, garbage)));
      assertThat(refusal(stream.next(), "v1", "n4"))
          .isEqualTo("resource 1: cannot be read (expected: a RateLimitConfig)");
      assertThat(taken.board.status().problems())
          .containsExactly("resource 1: cannot be read (expected: a RateLimitConfig)");
      assertThat(taken.limits()).containsExactly("shop.one 1 DAY");
      stream.send("v5", "n5", daily("shop", 1)); // as before
      assertTaken(stream.next(), "v5", "n5");
      assertThat(taken.board.status().problems()).isEmpty();
    }
  }

  @Test
  void tenThousandDescriptorsAreLoadedAlsoCompressed() throws Exception {
    RateLimitConfig.Builder many = RateLimitConfig.newBuilder().setDomain("many");
    for (int i = 0; i < 10_000; i++) {
      many.addDescriptors(limited("key" + i, i, RateLimitUnit.HOUR));
    }
    try (ManagementServer server = ManagementServer.start();
        LoadedRules taken = LoadedRules.from(server)) {
      ManagementServer.Stream stream = server.subscribed();
      stream.compress();
      stream.send("v1", "n1", many.build());
      assertTaken(stream.next(), "v1", "n1");
      assertThat(taken.limits()).hasSize(10_000).contains("many.key9999 9999 HOUR");
    }
  }
}
