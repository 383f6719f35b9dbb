package dev.weir.library.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No spelling of a path leaves the scope while an application would serve what is inside it. */
class PathScopeTest {
  private static final PathScope API = PathScope.of(List.of("/api/**"), List.of("/api/health"));
  private static final PathScope NOT_STATIC = PathScope.of(List.of(), List.of("/static/**"));

  @Test
  void allRequestsAreCoveredWithoutPatterns() {
    assertThat(PathScope.ALL.covers("/anything?x")).isTrue();
    assertThat(PathScope.ALL.covers("*")).isTrue();
    assertThat(PathScope.ALL.covers("")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/api", "/api/", "/api/users", "/api/users?q=/api/health", "/api/healthy"})
  void includedPathsAreCovered(String target) {
    assertThat(API.covers(target)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/apix", "/other/api", "/api/health", "/api/health?x=1", "/api/health/"})
  void otherPathsAreLeftOut(String target) {
    assertThat(API.covers(target)).isFalse();
  }

  /** All of these are {@code /api/users} to one server or another. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "//api/users",
        "/api//users",
        "/./api/users",
        "/x/../api/users",
        "/x/%2e%2e/api/users",
        "/x/.%2E/api/users",
        "/%61pi/users",
        "/api%2Fusers",
        "/api%2fusers",
        "/api;v=1/users",
        "/;x/api/users",
        "/api\\users",
        "/api%5Cusers",
        "/API/users",
        "/Api/Users/",
        "/x/..;/api/users",
        "/x/%2e%2e%2fapi/users",
        "/x%2f..%2fapi/users",
        "http://example.com/api/users",
        "/x/..\\api/users",
        "/api/users#fragment",
        "/api/health/../users",
        "/api/health/%2e%2e/users",
        "/api/health/..;/users",
        "/api/health%2f..%2fusers",
        "/api/health;/../users",
        "/API/health/../users",
        "/api/HEALTH"
      })
  void spellingsOfAnIncludedPathAreCovered(String target) {
    assertThat(API.covers(target)).isTrue();
  }

  /** To one server or another, all of these are outside {@code /static}. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/static/../login",
        "/static/%2e%2e/login",
        "/static/.%2e/login",
        "/static/..;/login",
        "/static/..;x=y/login",
        "/static/..%2flogin",
        "/static%2f..%2flogin",
        "/static/..\\login",
        "/static/..%5clogin",
        "/static/a/../../login",
        "/static//../../login",
        "/static/./../login",
        "//static/../login",
        "//static/login",
        "/static;/../login",
        "/login;/static/x",
        "/login%3b/../static/x",
        "/login%3f/static",
        "/login/%2e%2e;/static",
        "/STATIC/x",
        "/login/.%00/../static",
        "/login\u0000/static",
        "/staticx",
        "/static%00/../login"
      })
  void spellingsThatReachAnExcludedPathOnlyInSomeServersAreCovered(String target) {
    assertThat(NOT_STATIC.covers(target)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/static", "/static/", "/static/a.css", "/static/%61.css", "/static//a"})
  void excludedPathsAreLeftOut(String target) {
    assertThat(NOT_STATIC.covers(target)).isFalse();
  }

  @Test
  void pathThatIsTooLongIsCovered() {
    assertThat(NOT_STATIC.covers("/static/" + "a".repeat(20_000))).isTrue();
    assertThat(NOT_STATIC.covers("/static/" + "%2f;".repeat(5_000))).isTrue();
  }

  /** Random noise around a protected path, which a server that resolves dots reaches. */
  @Test
  void noNoiseTakesAProtectedPathOutOfTheScope() {
    Seeds.run(PathScopeTest::assertProtected);
  }

  private static void assertProtected(SplittableRandom random) {
    String[] dots = {"..", "%2e%2e", ".%2e", "%2E.", "..;", "..;a=b", "%2e%2e;"};
    String[] slashes = {"/", "//", "/./", "%2f", "%2F", "\\", "%5c", "/;x/"};
    for (int i = 0; i < 20_000; i++) {
      StringBuilder target = new StringBuilder("/static");
      int depth = 1 + random.nextInt(3);
      for (int level = 1; level < depth; level++) {
        target.append(pick(random, slashes)).append("a");
      }
      for (int level = 0; level < depth; level++) {
        target.append(pick(random, slashes)).append(pick(random, dots));
      }
      target.append(pick(random, slashes)).append("login");
      assertThat(NOT_STATIC.covers(target.toString())).as(target.toString()).isTrue();
    }
  }

  private static String pick(SplittableRandom random, String[] all) {
    return all[random.nextInt(all.length)];
  }

  @Test
  void nameInBracesMayBeInUpperCase() {
    PathScope users = PathScope.of(List.of("/Users/{userId}"), List.of());
    assertThat(users.covers("/users/7")).isTrue();
    assertThat(users.covers("/USERS/7")).isTrue();
    assertThat(users.covers("/users/7/x")).isFalse();
    assertThat(users.covers("/users/7".toUpperCase(Locale.ROOT))).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway") // callers may not check
  void malformedPatternsAreRejectedByName() {
    assertThatThrownBy(() -> PathScope.of(List.of("api"), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("include: path: api (expected: a path that begins with /)");
    assertThatThrownBy(() -> PathScope.of(List.of(), List.of("/x", "/health/")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("exclude: path: /health/ (expected: /health, since");
    assertThatThrownBy(() -> PathScope.of(List.of(), Arrays.asList("/x", null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("exclude: null (expected: a path that begins with /)");
  }
}
