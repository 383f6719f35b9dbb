package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.rules.yaml.RulesText;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.Principal;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who is limited: the address of a client and the user of a request. */
@Timeout(120)
class CallerTest {
  private final Weir weir = Weir.inMemory();
  @TempDir private Path folder = Path.of("");

  @AfterEach
  void close() {
    weir.close();
  }

  private RulesLimiter rules(String text) {
    return weir.rules(RulesText.of("rules.yaml", text + "\n"));
  }

  private static Consumer<ServletContext> limited(Filter filter) {
    return context -> {
      Applications.filter(context, "weir", filter);
      Applications.serveOk(context);
    };
  }

  @ParameterizedTest
  @EnumSource
  void forwardedAddressIsBelievedFromTrustedPeersOnly(Container container) throws Exception {
    WeirFilter wary = WeirFilter.of(rules("rules: [{name: wary, per: ip, limit: 1/hour}]"));
    try (RunningServer server = container.start(folder, limited(wary))) {
      assertThat(server.status("/", "X-Forwarded-For", "198.51.100.1")).isEqualTo(200);
      assertThat(server.status("/", "X-Forwarded-For", "198.51.100.2")).isEqualTo(429);
      assertThat(server.status("/", "Forwarded", "for=198.51.100.3")).isEqualTo(429);
      assertThat(server.status("/", "X-Real-IP", "198.51.100.4")).isEqualTo(429);
    }
    WeirFilter trusting =
        WeirFilter.of(
            rules(
                "trusted-proxies: 127.0.0.1\nforwarded-header: X-Forwarded-For\n"
                    + "rules: [{name: trusting, per: ip, limit: 1/hour}]"));
    try (RunningServer server = container.start(folder, limited(trusting))) {
      assertThat(server.status("/", "X-Forwarded-For", "198.51.100.1")).isEqualTo(200);
      assertThat(server.status("/", "X-Forwarded-For", "198.51.100.2")).isEqualTo(200);
      assertThat(server.status("/", "X-Forwarded-For", "203.0.113.9, 198.51.100.2")).isEqualTo(429);
    }
  }

  /** A filter before Weir's that believes everybody does not let clients choose their address. */
  @ParameterizedTest
  @EnumSource
  void wrappersOfOtherFiltersDoNotChangeTheAddress(Container container) throws Exception {
    Filter credulous =
        (request, response, chain) ->
            chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request) {
                  @Override
                  public String getRemoteAddr() {
                    return getHeader("X-Forwarded-For");
                  }
                },
                response);
    WeirFilter filter = WeirFilter.of(rules("rules: [{name: one, per: ip, limit: 1/hour}]"));
    Consumer<ServletContext> application =
        context -> {
          Applications.filter(context, "credulous", credulous);
          limited(filter).accept(context);
        };
    try (RunningServer server = container.start(folder, application)) {
      assertThat(server.status("/", "X-Forwarded-For", "198.51.100.1")).isEqualTo(200);
      assertThat(server.status("/", "X-Forwarded-For", "198.51.100.2")).isEqualTo(429);
    }
  }

  /** Without an address, all clients would share a counter, or none would be limited. */
  @ParameterizedTest
  @EnumSource
  void addressOfAnIpv6ClientIsRead(Container container) throws Exception {
    WeirFilter filter =
        WeirFilter.of(
            rules(
                "trusted-proxies: \"::1\"\nforwarded-header: X-Forwarded-For\n"
                    + "rules: [{name: one, per: ip, when-absent: skip, limit: 1/hour}]"));
    String request =
        "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: %s\r\nConnection: close\r\n\r\n";
    try (RunningServer server = container.start(folder, "::1", limited(filter))) {
      assertThat(server.rawStatus("::1", request.formatted("2001:db8::1"))).isEqualTo(200);
      assertThat(server.rawStatus("::1", request.formatted("2001:db8::2"))).isEqualTo(429);
      assertThat(server.rawStatus("::1", request.formatted("2001:db9::1"))).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @EnumSource
  void principalIsTheUserOfTheContainer(Container container) throws Exception {
    Filter login =
        (request, response, chain) ->
            chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request) {
                  @Override
                  public Principal getUserPrincipal() {
                    return () -> getHeader("X-Test-User");
                  }
                },
                response);
    WeirFilter filter = WeirFilter.of(rules("rules: [{name: one, per: principal, limit: 1/hour}]"));
    Consumer<ServletContext> application =
        context -> {
          Applications.filter(context, "login", login);
          limited(filter).accept(context);
        };
    try (RunningServer server = container.start(folder, application)) {
      assertThat(server.status("/", "X-Test-User", "alice")).isEqualTo(200);
      assertThat(server.status("/", "X-Test-User", "alice")).isEqualTo(429);
      assertThat(server.status("/", "X-Test-User", "bob")).isEqualTo(200);
    }
    WeirFilter tenants =
        WeirFilter.builder(rules("rules: [{name: tenants, per: principal, limit: 1/hour}]"))
            .identity((request, user) -> request.headers("X-Tenant").get(0))
            .build();
    try (RunningServer server = container.start(folder, limited(tenants))) {
      assertThat(server.status("/", "X-Tenant", "acme")).isEqualTo(200);
      assertThat(server.status("/", "X-Tenant", "acme")).isEqualTo(429);
      assertThat(server.status("/", "X-Tenant", "globex")).isEqualTo(200);
    }
  }

  /** Over HTTP/2 the host is no header; on the first request of an upgraded connection it is. */
  @ParameterizedTest
  @EnumSource
  void hostIsReadOverHttp1AndHttp2(Container container) throws Exception {
    WeirFilter filter =
        WeirFilter.of(rules("rules: [{name: one, match: {host: 127.0.0.1}, limit: 2/hour}]"));
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    try (RunningServer server = container.start(folder, limited(filter))) {
      for (int i = 0; i < 4; i++) {
        HttpResponse<Void> response =
            client.send(server.request("/").build(), HttpResponse.BodyHandlers.discarding());
        assertThat(response.statusCode()).as("request " + i).isEqualTo(i < 2 ? 200 : 429);
        assertThat(response.version() == HttpClient.Version.HTTP_2)
            .isEqualTo(container == Container.TOMCAT);
      }
    }
  }
}
