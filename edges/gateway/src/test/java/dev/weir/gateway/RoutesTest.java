package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.RulesRejected;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Routes by path and host, several servers, and changes while the gateway runs. */
class RoutesTest {
  private final ScriptedUpstream orders = answering("orders");
  private final ScriptedUpstream users = answering("users");

  private static ScriptedUpstream answering(String name) {
    return ScriptedUpstream.that(
        (request, socket) -> ScriptedUpstream.write(socket, ScriptedUpstream.ok(name)));
  }

  @AfterEach
  void close() throws IOException {
    orders.close();
    users.close();
  }

  private String both() {
    return "upstreams: {orders: \""
        + orders.url()
        + "\", users: \""
        + users.url()
        + "\"}\nroutes:\n  - {match: {path: /orders/**}, upstream: orders}\n"
        + "  - {match: {path: /users/**}, upstream: users}\n"
        + TestGateway.OPEN;
  }

  @Test
  void pathLeadsToItsUpstream() {
    try (TestGateway gateway = TestGateway.configured(both())) {
      assertThat(gateway.get("/orders/1").body()).isEqualTo("orders");
      assertThat(gateway.get("/users/x/../1").body()).isEqualTo("users");
      HttpResponse<String> other = gateway.get("/other");
      assertThat(other.statusCode()).isEqualTo(404);
      assertThat(other.headers().firstValue("Content-Type")).contains("application/problem+json");
      assertThat(gateway.metrics()).contains("outcome=\"no-route\"} 1");
    }
  }

  /** The order of the upstreams in the file says nothing about routes. */
  @Test
  void routeForEverythingLeadsToTheUpstreamThatItNames() {
    String rules =
        "upstreams: {orders: \""
            + orders.url()
            + "\", users: \""
            + users.url()
            + "\"}\nroutes:\n  - {upstream: users}\n  - {match: {path: /orders/**}, upstream: orders}\n"
            + TestGateway.OPEN;
    try (TestGateway gateway = TestGateway.configured(rules)) {
      assertThat(gateway.get("/").body()).isEqualTo("users");
      assertThat(gateway.get("/orders/1").body()).as("the first route wins").isEqualTo("users");
      assertThat(orders.received).isEmpty();
    }
  }

  @Test
  void serversTakeTurns() {
    try (TestGateway gateway = TestGateway.to(TestGateway.OPEN, orders.url(), users.url())) {
      for (int i = 0; i < 10; i++) {
        assertThat(gateway.get("/").statusCode()).isEqualTo(200);
      }
      assertThat(orders.received).hasSize(5);
      assertThat(users.received).hasSize(5);
    }
  }

  @Test
  void changedRoutesApplyAtOnceAndOthersKeepTheirConnections() {
    try (TestGateway gateway = TestGateway.configured(both())) {
      gateway.get("/users/1");
      int connections = users.connections.get();
      gateway.reload(both().replace("/orders/**", "/bestellungen/**"));
      assertThat(gateway.get("/orders/1").statusCode()).isEqualTo(404);
      assertThat(gateway.get("/bestellungen/1").body()).isEqualTo("orders");
      assertThat(gateway.get("/users/1").body()).isEqualTo("users");
      assertThat(users.connections.get()).isLessThanOrEqualTo(connections + 1);
    }
  }

  @Test
  void rulesWithoutUpstreamsAreRefused() {
    try (TestGateway gateway = TestGateway.configured(both())) {
      gateway.reload(TestGateway.OPEN);
      assertThat(gateway.get("/users/1").body()).isEqualTo("users");
    }
  }

  @Test
  void gatewayWithoutUpstreamsDoesNotStart() {
    assertThatThrownBy(() -> TestGateway.configured(TestGateway.OPEN).close())
        .rootCause()
        .isInstanceOf(RulesRejected.class)
        .hasMessageContaining("upstreams: nothing (expected: upstreams, or --upstream URL)");
  }

  @Test
  void hostIsRewrittenIfWished() {
    String rules =
        "upstreams: {up: {servers: [\""
            + orders.url()
            + "\"], host: rewrite}}\n"
            + TestGateway.OPEN;
    try (TestGateway gateway = TestGateway.configured(rules)) {
      gateway.get("/");
      assertThat(orders.received.get(0).values("Host"))
          .containsExactly("127.0.0.1:" + orders.port());
    }
  }
}
