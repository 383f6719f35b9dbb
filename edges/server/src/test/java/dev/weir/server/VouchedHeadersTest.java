package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A gateway names in the path the trusted headers that it vouches for. */
class VouchedHeadersTest {
  private static final String RULES =
      """
      trusted-proxies: [127.0.0.1/32]
      rules:
        - {name: user, match: {path: "/user/**"}, per: trusted-header X-User, limit: 1/hour}
        - {name: plan, match: {trusted-header: {X-Plan: "*"}}, limit: blocked}
      """;

  @Test
  void onlyNamedHeadersAreBelieved() {
    try (TestServer served = TestServer.with(RULES)) {
      for (String names :
          List.of(";trusted-headers=", ";trusted-headers", ";trusted-headers=x-use")) {
        assertThat(plan(served, names)).as(names).isEqualTo(200);
      }
      for (String names :
          List.of(
              "",
              ";trusted-headers=x-plan",
              ";trusted-headers=X-PLAN",
              ";trusted-headers=x-user,x-plan",
              ";trusted-headers=,x-plan,")) {
        assertThat(plan(served, names)).as(names).isEqualTo(429);
      }
      assertThat(plan(served, ";trusted-headers=x-plan-b,x-pla,a-x-plan")).isEqualTo(200);
    }
  }

  private static int plan(TestServer served, String names) {
    return served.get("/v1/check" + names + "/a", "X-Plan", "p").statusCode();
  }

  @Test
  void unvouchedHeaderCountsAsAbsent() {
    try (TestServer served = TestServer.with(RULES)) {
      String check = "/v1/check;trusted-headers=x-plan/user/a";
      assertThat(served.get(check, "X-User", "a").statusCode()).isEqualTo(200);
      assertThat(served.get(check, "X-User", "b").statusCode()).isEqualTo(429);
      assertThat(served.get(check).statusCode()).isEqualTo(429);
      assertThat(served.get("/v1/check;trusted-headers=x-user/user/a", "X-User", "a").statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void gatewayOptionsFollowTheNames() {
    try (TestServer served = TestServer.with(RULES)) {
      String[] plan = TestServer.forwardedHeaders("/a", "X-Plan", "p");
      String check = "/v1/check;trusted-headers=x-plan";
      assertThat(served.get(check + "?deny=403", plan).statusCode()).isEqualTo(403);
      assertThat(served.get(check + "/a?deny=403", plan).statusCode()).isEqualTo(429);
      assertThat(served.get("/v1/check?trusted-headers=", plan).statusCode())
          .as("a query may be the client's")
          .isEqualTo(429);
      assertThat(served.get("/v1/check/;trusted-headers=/a", plan).statusCode())
          .as("so is a path behind the first slash")
          .isEqualTo(429);
    }
  }

  @Test
  void unknownOptionAfterSemicolonIsRejected() {
    try (TestServer served = TestServer.with(RULES)) {
      for (String wrong :
          List.of(
              ";",
              ";trusted",
              ";trusted-headersx=a",
              ";trusted-headers=;trusted-headers=a",
              ";deny=403",
              ";headers",
              ";headers=both",
              ";headers=original;headers=original",
              ";headers=original;",
              ";x/a")) {
        HttpResponse<String> refused = served.get("/v1/check" + wrong);
        assertThat(refused.statusCode()).as(wrong).isEqualTo(400);
        assertThat(new JsonObject(refused.body()).getString("detail"))
            .isEqualTo(
                "path: "
                    + wrong.replace("/a", "")
                    + " (expected: ;trusted-headers= and names with commas between them,"
                    + " ;headers=forwarded or ;headers=original, each once)");
      }
    }
  }
}
