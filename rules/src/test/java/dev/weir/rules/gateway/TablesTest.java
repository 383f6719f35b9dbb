package dev.weir.rules.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.http.request.CanonicalPath;
import dev.weir.rule.condition.PathReadings;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.TestRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which route a request takes, and which priority it has. */
class TablesTest {
  private static final String RULES = "rules: [{name: a, limit: 1/s}]\n";
  private static final String ROUTES =
      RULES
          + """
          upstreams: {orders: http://a, test: http://b, web: http://c, admin: http://d}
          routes:
            - {match: {path: /admin/**}, upstream: admin}
            - {match: {header: {X-Test: "*"}}, upstream: test}
            - {match: {host: api.example.com, path: /orders/**, method: [GET, POST]}, upstream: orders}
            - {match: {host: "*.example.com"}, upstream: web}
          """;
  private static final String SHEDDING =
      RULES
          + """
          shedding:
            capacity: 10
            priorities:
              - {match: {path: /healthz}, priority: 0}
              - {match: {header: {X-Test: "*"}}, priority: 3}
              - {match: {path: /pay}, priority: 0}
          """;

  /** Values as an edge extracts them. */
  private static Descriptor request(String target, String... more) {
    CanonicalPath path = CanonicalPath.of(target, true);
    Map<String, String> values = new HashMap<>(Map.of("path", path.path()));
    String others = PathReadings.join(path.otherReadings());
    if (others != null) {
      values.put(PathReadings.NAME, others);
    }
    for (int i = 0; i < more.length; i += 2) {
      values.put(more[i], more[i + 1]);
    }
    return Descriptor.of(values);
  }

  private static String route(String yaml, Descriptor values) throws Exception {
    RulesSnapshot rules = RulesSnapshot.of(TestRules.load(yaml));
    return rules.routes().find(values).map(UpstreamSettings::name).orElse("none");
  }

  private static int priority(Descriptor values) throws Exception {
    return RulesSnapshot.of(TestRules.load(SHEDDING)).priorities().priority(values);
  }

  @Test
  void firstRouteThatMatchesDecides() throws Exception {
    String[] api = {"host", "api.example.com", "method", "GET"};
    assertThat(route(ROUTES, request("/orders/7", api))).isEqualTo("orders");
    assertThat(route(ROUTES, request("/users", api))).isEqualTo("web");
    assertThat(route(ROUTES, request("/orders/7", "host", "api.example.com", "method", "PUT")))
        .isEqualTo("web");
    assertThat(
            route(
                ROUTES,
                request(
                    "/orders/7", "host", "api.example.com", "header x-test", "1", "method", "GET")))
        .isEqualTo("test");
    assertThat(route(ROUTES, request("/orders/7", "host", "other.test"))).isEqualTo("none");
    assertThat(route(RULES, request("/"))).isEqualTo("none");
  }

  @Test
  void encodedPathTakesTheRouteOfItsCanonicalForm() throws Exception {
    for (String target : List.of("/%61dmin/x", "//admin/x", "/a/../admin/./x", "/admin;v=1/x")) {
      assertThat(route(ROUTES, request(target, "host", "a.example.com")))
          .as(target)
          .isEqualTo("admin");
    }
  }

  @Test
  void pathWithSeveralReadingsTakesTheRouteOfTheFirst() throws Exception {
    Descriptor ambiguous = request("/admin%2fy", "host", "a.example.com");
    assertThat(ambiguous.value(PathReadings.NAME)).isEqualTo("/admin%2Fy");
    assertThat(route(ROUTES, ambiguous)).isEqualTo("admin");
    Descriptor other =
        request("/x", "host", "a.example.com", PathReadings.NAME, "/admin/y\n/orders/7");
    assertThat(route(ROUTES, other)).isEqualTo("web");
  }

  @Test
  void unusableValueMeetsNoConditionOfARoute() throws Exception {
    Descriptor header = request("/", "host", "a.example.com", "header x-test", Descriptor.UNUSABLE);
    assertThat(route(ROUTES, header)).isEqualTo("web");
    Descriptor path = Descriptor.of(Map.of("path", Descriptor.UNUSABLE, "host", "a.example.com"));
    assertThat(route(ROUTES, path)).isEqualTo("web");
    Descriptor host = request("/admin/x", "host", Descriptor.UNUSABLE);
    assertThat(route(ROUTES, host)).isEqualTo("admin");
    assertThat(route(ROUTES, request("/x", "host", Descriptor.UNUSABLE))).isEqualTo("none");
  }

  @Test
  void manyRoutesAreTriedInOrder() throws Exception {
    String routes =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "{match: {path: /" + i % 500 + "/**}, upstream: u" + i % 100 + "}")
            .collect(Collectors.joining(", "));
    String upstreams =
        IntStream.range(0, 100)
            .mapToObj(i -> "u" + i + ": http://a" + i)
            .collect(Collectors.joining(", "));
    String yaml = RULES + "upstreams: {" + upstreams + "}\nroutes: [" + routes + "]\n";
    assertThat(route(yaml, request("/42/x"))).isEqualTo("u42");
    assertThat(route(yaml, request("/477"))).isEqualTo("u77");
    assertThat(route(yaml, request("/500"))).isEqualTo("none");
  }

  @Test
  void priorityIsThatOfTheFirstMatchAndElseOfTheMethod() throws Exception {
    assertThat(priority(request("/healthz", "method", "GET", "header x-test", "1"))).isZero();
    assertThat(priority(request("/pay", "method", "POST"))).isZero();
    assertThat(priority(request("/pay", "method", "POST", "header x-test", "1"))).isEqualTo(3);
    for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
      assertThat(priority(request("/", "method", method))).as(method).isEqualTo(1);
    }
    for (String method : List.of("GET", "HEAD", "OPTIONS", "QUERY")) {
      assertThat(priority(request("/", "method", method))).as(method).isEqualTo(2);
    }
    assertThat(priority(Descriptor.of(Map.of()))).isEqualTo(2);
  }

  @Test
  void ambiguousRequestHasTheLeastImportantPriorityItMayHave() throws Exception {
    assertThat(priority(request("/healthz", "method", "GET", PathReadings.NAME, "/x")))
        .isEqualTo(2);
    assertThat(priority(request("/x", "method", "GET", PathReadings.NAME, "/healthz")))
        .isEqualTo(2);
    assertThat(priority(request("/", "method", "POST", "header x-test", Descriptor.UNUSABLE)))
        .isEqualTo(3);
    assertThat(priority(Descriptor.of(Map.of("path", Descriptor.UNUSABLE, "method", "GET"))))
        .isEqualTo(2);
    assertThat(priority(request("/healthz", "method", "GET", "header x-test", Descriptor.UNUSABLE)))
        .isZero();
    assertThat(priority(request("/", "method", Descriptor.UNUSABLE))).isEqualTo(2);
  }

  @Test
  void valuesOfRoutesAndPrioritiesAreReadFromRequests() throws Exception {
    assertThat(TestRules.load(ROUTES + SHEDDING.substring(RULES.length())).book().names().list())
        .contains("path", PathReadings.NAME, "host", "method", "header x-test");
    assertThat(TestRules.load(RULES).book().names().list()).isEmpty();
  }
}
