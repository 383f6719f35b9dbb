package dev.weir.rules.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.TestRules;
import dev.weir.rules.gateway.ConnectionSettings.Protocol;
import dev.weir.rules.gateway.ConnectionSettings.Timeouts;
import dev.weir.rules.gateway.ConnectionSettings.Tls;
import dev.weir.rules.gateway.SheddingSettings.QueueDelay;
import dev.weir.rules.yaml.Problem;
import dev.weir.rules.yaml.RulesText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Upstreams, routes and shedding as rules files have them. */
class GatewaySettingsTest {
  private static final String RULES = "rules: [{name: a, limit: 1/s}]\n";

  private static GatewaySettings load(String yaml) throws RulesRejected {
    return TestRules.load(RULES + yaml).gateway();
  }

  @Test
  void fileWithoutTheseSectionsHasNone() throws Exception {
    assertThat(TestRules.load(RULES).gateway()).isEqualTo(GatewaySettings.NONE);
  }

  @Test
  void singleUrlIsAnUpstreamWithDefaultsThatGetsEveryRequest() throws Exception {
    GatewaySettings settings = load("upstreams: {orders: http://127.0.0.1:9000}\n");
    assertThat(settings.upstreams())
        .containsExactly(
            UpstreamSettings.of("orders", List.of(new ServerAddress(false, "127.0.0.1", 9000))));
    assertThat(settings.routes()).containsExactly(new Route(List.of(), "orders"));
    assertThat(settings.shedding()).isEmpty();
    UpstreamSettings only = settings.upstreams().get(0);
    assertThat(only.ejection()).contains(new Ejection(5, Duration.ofSeconds(30), 50));
    assertThat(only.health()).isEmpty();
    assertThat(only.concurrency()).isEqualTo(ConcurrencyLimit.NONE);
  }

  @Test
  void everyFieldOfAnUpstreamIsRead(@TempDir Path directory) throws Exception {
    Files.writeString(directory.resolve("ca.pem"), "certificates");
    String yaml =
        RULES
            + """
            upstreams:
              orders:
                servers: [https://a.example.com, "https://[2001:db8::1]:9443/"]
                protocol: http2
                host: rewrite
                connections: 8
                connect-timeout: 200ms
                response-timeout: 2 minutes
                idle-timeout: 1h
                health: {path: "/health?deep=1", every: 500ms, healthy-after: 1, unhealthy-after: 9}
                ejection: {failures: 7, time: 5s, at-most: 25%}
                concurrency: vegas
                tls: {ca: ca.pem, name: orders.internal}
            """;
    RulesText text =
        new RulesText(
            "rules.yaml", directory, yaml.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    RuleSet rules = TestRules.loader().load(List.of(text));
    assertThat(rules.gateway().upstreams())
        .containsExactly(
            new UpstreamSettings(
                "orders",
                List.of(
                    new ServerAddress(true, "a.example.com", 443),
                    new ServerAddress(true, "2001:db8::1", 9443)),
                new ConnectionSettings(
                    Protocol.HTTP2,
                    false,
                    8,
                    new Timeouts(
                        Duration.ofMillis(200), Duration.ofMinutes(2), Duration.ofHours(1)),
                    new Tls(
                        Optional.of(directory.resolve("ca.pem")), Optional.of("orders.internal"))),
                Optional.of(
                    new HealthCheck(
                        "/health?deep=1", Duration.ofMillis(500), Duration.ofMillis(500), 1, 9)),
                Optional.of(new Ejection(7, Duration.ofSeconds(5), 25)),
                ConcurrencyLimit.adaptive(ConcurrencyLimit.Algorithm.VEGAS)));
  }

  @Test
  void ejectionHealthAndConcurrencyCanBeNoneOrANumber() throws Exception {
    UpstreamSettings read =
        load("upstreams: {a: {servers: http://a, ejection: none, health: none, concurrency: 12}}\n")
            .upstreams()
            .get(0);
    assertThat(read.ejection()).isEmpty();
    assertThat(read.health()).isEmpty();
    assertThat(read.concurrency()).isEqualTo(ConcurrencyLimit.fixed(12));
  }

  @Test
  void sheddingHasDefaultsForAllButItsCapacity() throws Exception {
    SheddingSettings shedding = load("shedding: {capacity: 200}\n").shedding().orElseThrow();
    assertThat(shedding).isEqualTo(SheddingSettings.of(200));
    assertThat(shedding.thresholds()).containsExactly(90, 80, 70);
    assertThat(shedding.queueDelay())
        .contains(new QueueDelay(Duration.ofMillis(5), Duration.ofMillis(100)));
  }

  @Test
  void everyFieldOfSheddingIsRead() throws Exception {
    SheddingSettings shedding =
        load("""
                shedding:
                  capacity: 1_000
                  priorities: [{match: {path: /healthz}, priority: 0}, {priority: 3}]
                  thresholds: {1: 95, 2: 60%, 3: 60}
                  queue-delay: none
                """)
            .shedding()
            .orElseThrow();
    assertThat(shedding.capacity()).isEqualTo(1_000);
    assertThat(shedding.priorities()).extracting(PriorityRule::priority).containsExactly(0, 3);
    assertThat(shedding.thresholds()).containsExactly(95, 60, 60);
    assertThat(shedding.queueDelay()).isEmpty();
  }

  @Test
  void severalFilesAreReadAsOne() throws Exception {
    RuleSet rules =
        TestRules.loader()
            .load(
                List.of(
                    RulesText.of("a.yaml", RULES),
                    RulesText.of("b.yaml", "upstreams: {x: http://x, y: http://y}\n"),
                    RulesText.of("c.yaml", "routes: [{match: {path: /x}, upstream: x}]\n"),
                    RulesText.of("d.yaml", "routes: [{upstream: y}]\nshedding: {capacity: 9}\n")));
    assertThat(rules.gateway().routes()).extracting(Route::upstream).containsExactly("x", "y");
    assertThat(rules.gateway().shedding().map(SheddingSettings::capacity)).contains(9);
    assertThat(rules.warnings()).isEmpty();
  }

  @Test
  void sameUpstreamOrSheddingInTwoFilesIsRefused() {
    assertThat(
            errors(
                RULES + "upstreams: {x: http://x}\nshedding: {capacity: 9}\n",
                "upstreams: {x: http://y}\nshedding: {capacity: 9}\n"))
        .containsExactly(
            "f1:1:13: upstreams: x (expected: each name once; the first is at f0:2:13)",
            "f1:2:1: shedding: again (expected: in one file only; the first is at f0:3:1)");
  }

  @Test
  void routesAreNotJudgedWhereUpstreamsMayBeInAFileThatCannotBeRead() {
    assertThat(errors(RULES + "routes: [{upstream: x}]\n", "upstreams: [\n"))
        .hasSize(1)
        .allMatch(error -> error.startsWith("f1:"));
    assertThat(TestRules.errors(RULES + "upstream: {x: http://x}\nroutes: [{upstream: x}]\n"))
        .containsExactly("2:1: key: upstream (expected: upstreams; did you mean that?)");
  }

  private static List<String> errors(String... texts) {
    List<RulesText> files = new java.util.ArrayList<>();
    for (int i = 0; i < texts.length; i++) {
      files.add(RulesText.of("f" + i, texts[i]));
    }
    try {
      TestRules.loader().load(files);
      return List.of();
    } catch (RulesRejected e) {
      return e.problems().stream().map(Problem::toString).toList();
    }
  }

  @Test
  void addressesAreShownAsTheyAreParsed() {
    for (String url :
        List.of("http://a", "https://a:8443", "http://[::1]:80", "http://a.b:65535")) {
      ServerAddress address = ServerAddress.parse(url);
      assertThat(ServerAddress.parse(address.toString())).isEqualTo(address);
    }
    assertThat(ServerAddress.parse("http://[::1]:80").authority()).isEqualTo("[::1]");
    assertThat(ServerAddress.parse("HTTPS://A.example:8443").authority())
        .isEqualTo("a.example:8443");
  }

  @Test
  void oneUpstreamCanReplaceThoseOfTheFile() throws Exception {
    GatewaySettings file = load("upstreams: {a: http://a}\nshedding: {capacity: 3}\n");
    UpstreamSettings other =
        UpstreamSettings.of("b", List.of(ServerAddress.parse("http://b:9000")));
    GatewaySettings replaced = file.withOnly(other);
    assertThat(replaced.upstreams()).containsExactly(other);
    assertThat(replaced.routes()).containsExactly(new Route(List.of(), "b"));
    assertThat(replaced.shedding()).isEqualTo(file.shedding());
  }
}
