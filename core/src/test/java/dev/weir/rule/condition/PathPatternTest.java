package dev.weir.rule.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {
  @ParameterizedTest
  @CsvSource({
    "/, /, true",
    "/, /a, false",
    "/login, /login, true",
    "/login, /login/x, false",
    "/login, /Login, false",
    "/users/{id}, /users/7, true",
    "/users/{id}, /users, false",
    "/users/{id}, /users/7/posts, false",
    "/users/{id}/posts, /users/7/posts, true",
    "/users/*/posts, /users/7/posts, true",
    "/files/*.png, /files/a.png, true",
    "/files/*.png, /files/.png, true",
    "/files/*.png, /files/a.jpg, false",
    "/files/*.png, /files/a/b.png, false",
    "/v{n}/x, /v2/x, true",
    "/v{n}/x, /w2/x, false",
    "/api/**, /api, true",
    "/api/**, /api/a, true",
    "/api/**, /api/a/b/c, true",
    "/api/**, /apix, false",
    "/**, /, true",
    "/**, /a/b, true",
    "/a/**/z, /a/z, true",
    "/a/**/z, /a/b/c/z, true",
    "/a/**/z, /a/b/c, false",
    "/**/x/**/y, /1/x/2/x/3/y, true",
    "/**/x/**/y, /1/y/2/x, false",
    "/a*b*c, /aXbYc, true",
    "/a*b*c, /aXbY, false",
  })
  void patternsMatchPaths(String pattern, String path, boolean matches) {
    assertThat(PathPattern.parse(pattern).matches(path)).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({
    "login, 'path: login (expected: a path that begins with /)'",
    "'', 'path:  (expected: a path that begins with /)'",
    "//x, 'path: //x (expected: no empty segment and no dots, since paths are compared without"
        + " them)'",
    "/x/, 'path: /x/ (expected: /x, since paths are compared without a slash at the end)'",
    "/x//, 'path: /x// (expected: no empty segment and no dots, since paths are compared without"
        + " them)'",
    "/a/../b, 'path: /a/../b (expected: no empty segment and no dots, since paths are compared"
        + " without them)'",
    "/a?b=1, 'path: /a?b=1 (expected: a path without ''?'', which is never part of one)'",
    "/a;b, 'path: /a;b (expected: a path without '';'', which is never part of one)'",
    "/{, 'path: /{ (expected: a name in braces, such as {id})'",
    "/{}, 'path: /{} (expected: a name in braces, such as {id})'",
    "/a}, 'path: /a} (expected: an opening brace before each closing one)'",
    "/a**, 'path: /a** (expected: ** as a segment of its own)'",
    "/{a}{b}, 'path: /{a}{b} (expected: ** as a segment of its own)'",
  })
  void aMalformedPatternIsRejected(String pattern, String message) {
    assertThatThrownBy(() -> PathPattern.parse(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void anAdversarialPathIsMatchedFast() {
    PathPattern pattern = PathPattern.parse("/**/a*a*a*a*a*a*a*b/**/c");
    String path = ("/" + "a".repeat(200)).repeat(40);
    assertTimeoutPreemptively(
        Duration.ofSeconds(60), () -> assertThat(pattern.matches(path)).isFalse());
  }
}
