package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.Apps.Running;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** Users whom Spring Security has authenticated. */
class PrincipalTest {
  private static final Map<String, String> ONCE_PER_USER =
      Map.of("weir.limits.user.per", "principal", "weir.limits.user.limit", "1/hour");

  private final Http http = new Http();

  /** Two users. */
  @Configuration
  static class Users {
    private static UserDetails user(String name) {
      return User.withUsername(name).password("{noop}secret").roles("USER").build();
    }

    @Bean
    UserDetailsService users() {
      return new InMemoryUserDetailsManager(user("acme-ann"), user("acme-bob"));
    }

    @Bean
    MapReactiveUserDetailsService reactiveUsers() {
      return new MapReactiveUserDetailsService(user("acme-ann"), user("acme-bob"));
    }
  }

  /** Counts users of one company together. */
  @Configuration
  static class Companies {
    @Bean
    RequestIdentity company() {
      return (request, user) -> user == null ? null : user.getName().split("-", 2)[0];
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void countsByUser(WebApplicationType type) throws Exception {
    try (Running app = Apps.start(type, ONCE_PER_USER, Apps.Secured.class, Users.class)) {
      assertThat(status(app, "acme-ann")).isEqualTo(200);
      assertThat(status(app, "acme-ann")).isEqualTo(429);
      assertThat(status(app, "acme-bob")).isEqualTo(200);
      assertThat(http.get(app, "/hello").statusCode()).as("not authenticated").isEqualTo(401);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void countsByWhatTheApplicationSays(WebApplicationType type) throws Exception {
    try (Running app =
        Apps.start(type, ONCE_PER_USER, Apps.Secured.class, Users.class, Companies.class)) {
      assertThat(status(app, "acme-ann")).isEqualTo(200);
      assertThat(status(app, "acme-bob")).isEqualTo(429);
    }
  }

  /** Lets everybody in. */
  @Configuration
  static class Anonymous {
    @Bean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    SecurityFilterChain open(HttpSecurity http) {
      return http.authorizeHttpRequests(all -> all.anyRequest().permitAll())
          .httpBasic(Customizer.withDefaults())
          .build();
    }

    @Bean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    SecurityWebFilterChain reactiveOpen(ServerHttpSecurity http) {
      return http.authorizeExchange(all -> all.anyExchange().permitAll())
          .httpBasic(Customizer.withDefaults())
          .build();
    }
  }

  /** A rule by principal, else by address: whoever is not authenticated is not a user. */
  @ParameterizedTest
  @EnumSource
  void anonymousRequestsHaveNoPrincipal(Setup setup) throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put("weir.identity.caller[0]", "principal");
    properties.put("weir.identity.caller[1]", "ip");
    properties.put("weir.limits.user.per", "caller");
    properties.put("weir.limits.user.limit", "1/hour");
    try (Running app = setup.start(properties, Apps.Secured.class, Users.class, Anonymous.class)) {
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(200);
      assertThat(http.get(app, "/hello").statusCode()).as("by address").isEqualTo(429);
      assertThat(status(app, "acme-ann")).as("by name").isEqualTo(200);
      assertThat(status(app, "acme-ann")).isEqualTo(429);
      assertThat(status(app, "acme-bob")).isEqualTo(200);
    }
  }

  private int status(Running app, String user) throws Exception {
    byte[] credentials = (user + ":secret").getBytes(StandardCharsets.UTF_8);
    String basic = "Basic " + Base64.getEncoder().encodeToString(credentials);
    return http.get(app, "/hello", "Authorization", basic).statusCode();
  }
}
