package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebRequestTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void principalStaysWhateverIsSetBesideIt() {
    WebRequest anonymous = WebRequest.of("GET", "/");
    assertThat(anonymous.principal()).isNull();
    WebRequest request =
        anonymous.principal("alice").from("192.0.2.1").host("example.com").header("X", "y");
    assertThat(request.principal()).isEqualTo("alice");
    assertThat(request.peer()).isEqualTo("192.0.2.1");
    assertThat(request.authority()).isEqualTo("example.com");
    assertThat(request.headers("x")).containsExactly("y");
    assertThat(request.principal("bob").headers("x")).containsExactly("y");
  }

  @Test
  void rulesCountByThePrincipal() throws IOException {
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, "rules: [{name: each-user, per: principal, limit: 1/hour}]\n");
    try (Weir weir = Weir.inMemory()) {
      RulesLimiter limiter = weir.rules(rules);
      WebRequest request = WebRequest.of("GET", "/").from("192.0.2.1");
      assertThat(limiter.check(request.principal("alice")).allowed()).isTrue();
      assertThat(limiter.check(request.principal("alice")).allowed()).isFalse();
      assertThat(limiter.check(request.principal("bob")).allowed()).isTrue();
    }
  }
}
