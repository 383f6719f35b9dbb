package dev.weir.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.weir.Descriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalPathTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "/ > /",
        "'' > /",
        "* > *",
        "/* > /*",
        "? > /",
        "/a/b > /a/b",
        "/a/b?c=/../d > /a/b",
        "/a/b#c > /a/b",
        "/a#b?c > /a",
        "a/b > /a/b",
        "http://example.com/a > /a",
        "HTTP://example.com:80/a?b > /a",
        "http://example.com > /",
        "http://example.com?x=/y > /",
        "http://example.com//a > /a",
        "/http://example.com/a > /http:/example.com/a",
        "//example.com/a > /example.com/a",
        "/.well-known/x > /.well-known/x",
        "/... > /...",
        "/a/..b > /a/..b",
        "/%c3%a9 > /é",
        "/é > /é",
        "/%E2%82%AC > /€",
        "/%F0%9F%98%80 > /😀",
        "/a%20b > '/a b'",
        "/a+b > /a+b",
      })
  void targetIsReducedToItsPath(String target, String path) {
    assertThat(path(target)).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/login",
        "/login/",
        "//login",
        "///login//",
        "/./login",
        "/login/.",
        "/x/../login",
        "/../login",
        "/../../login",
        "/login/x/..",
        "/x/./.././login",
        "/%6cogin",
        "/%6Cogin",
        "/%6C%6F%67%69%6E",
        "/%2e/login",
        "/x/%2e%2E/login",
        "/x/.%2e/login",
        "/login?x",
        "/login#x",
        "/login/?x",
        "http://h/login",
        "https://h:1//login/",
        "/x//../login",
        "login",
        "./login"
      })
  void everySpellingOfAPathHasTheSameCanonicalPath(String target) {
    assertThat(path(target)).isEqualTo("/login");
    assertThat(CanonicalPath.of(target.replace("login", "LogIn"), false).path())
        .isEqualTo("/login");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/login", "/%6cogin/", "/a//b", "/a?b=%2F;..", "/a/%252F", "/a/..b/.c", "/é%20x"})
  void mostPathsHaveOneReading(String target) {
    assertThat(CanonicalPath.of(target, true).otherReadings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%256cogin",
        "/%25%36%63ogin",
        "/login%25",
        "/login%3Fx",
        "/login%23x",
        "/login%3Bx",
        "/login%00",
        "/login%0a",
        "/Login",
        "/login%FF",
        "/l%EF%BD%8Fgin",
        "/login*"
      })
  void similarPathsStayDifferent(String target) {
    assertThat(path(target)).isNotEqualTo("/login");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "/%252e%252e/a > /%252e%252e/a",
        "/%25 > /%25",
        "/% > /%25",
        "/%zz > /%25zz",
        "/%4 > /%254",
        "/a%3fb%23c%3bd > /a%3Fb%23c%3Bd",
        "/%00%0a%7f%C2%80 > /%00%0A%7F%C2%80",
        "/%ed%a0%80 > /%ED%A0%80",
        "/%f4%90%80%80 > /%F4%90%80%80",
        "/%e2%82 > /%E2%82",
        "/%e2%c3%a9 > /%E2é",
        "/%ff > /%FF",
      })
  void delimitersAndInvalidBytesStayEscapedInUpperCase(String target, String path) {
    assertThat(path(target)).isEqualTo(path);
    assertThat(CanonicalPath.of(target, false).path().substring(0, 4))
        .as("case folding keeps escapes")
        .isEqualTo(path.substring(0, 4));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "/a%2Fb > /a/b or /a%2Fb",
        "/a%2fb > /a/b or /a%2Fb",
        "/a\\b > /a/b or /a%5Cb",
        "/a%5cb > /a/b or /a%5Cb",
        "/a%2Fb%5Cc > /a/b/c or /a/b%5Cc or /a%2Fb/c or /a%2Fb%5Cc",
        "/a\\b%5Cc > /a/b/c or /a/b%5Cc or /a%5Cb/c or /a%5Cb%5Cc",
        "/a%2F > /a or /a%2F",
        "/%2Fa > /a or /%2Fa",
        "/login;a=b > /login or /login%3Ba=b",
        "/login;a=b/c > /login/c or /login%3Ba=b/c or /login",
        "/;x/login > /login or /%3Bx/login or /",
        "/login;x=%2Fy > /login or /login%3Bx=/y or /login/y or /login%3Bx=%2Fy",
        "/login;x=\\y > /login/y or /login%3Bx=/y or /login or /login%3Bx=%5Cy",
        "/login%3Bx > /login%3Bx or /login",
        "/login%3Bx/y > /login%3Bx/y or /login/y",
        "/a%3Bb;c/d > /a%3Bb/d or /a%3Bb%3Bc/d or /a%3Bb or /a/d",
        "/x/../login > /login or /x/../login",
        "/login/.. > / or /login or /login/..",
        "/login/. > /login or /login/.",
        "/x/%2e%2e/login > /login or /x/../login",
        "/login/a/../%2e%2e/b > /b or /login/a/../../b or /login/../b",
        "/login//.. > / or /login or /login/..",
        "//x/login > /x/login or /login",
        "///x/login > /x/login or /login",
        "//x/../login > /login or /x/../login or /../login",
        "/\\x/login > /x/login or /login or /%5Cx/login",
        "/login#/x > /login or /login%23/x",
        "/login%3Fx > /login%3Fx or /login",
        "/login%23/x > /login%23/x or /login",
        "/login%00x > /login%00x or /login",
        "/login. > /login. or /login",
        "/a./b > /a./b or /a/b",
        "/a./b. > /a./b. or /a./b or /a/b",
        "/login/x/.. > /login or /login/x or /login/x/..",
        "/a/... > /a/... or /a",
      })
  void ambiguousPathHasSeveralReadings(String target, String readings) {
    assertThat(CanonicalPath.of(target, true)).hasToString(readings);
  }

  @Test
  void tabOrSpaceIsAlsoReadAsTheEndOfThePath() {
    assertThat(CanonicalPath.of("/login\t", true)).hasToString("/login%09 or /login");
    assertThat(CanonicalPath.of("/login x", true)).hasToString("/login x or /login");
    assertThat(CanonicalPath.of("/login%20", true)).hasToString("/login  or /login");
  }

  /** GitLab addresses projects like this: only these two readings may result. */
  @Test
  void escapedSlashHasExactlyTwoReadings() {
    assertThat(CanonicalPath.of("/api/v4/projects/group%2Fproject/issues?x=%2F", true))
        .hasToString(
            "/api/v4/projects/group/project/issues or /api/v4/projects/group%2Fproject/issues");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/x%5Cy%2F..%2Flogin",
        "/a/..;/login",
        "/a;x/../login",
        "/a/..%3B/login",
        "/a/..%2Flogin",
        "/a/%2e%2e%5Clogin",
        "/a/..#/login",
        "/a/.%00/login",
        "/;%3B\\%5C%2F",
        "/a%c0%afb",
        "/%c0%ae%c0%ae/a",
        "/a%e0%80%afb",
        "/a%f0%80%80%afb",
        "/a\u00c0\u00afb",
        "/a%u002fb",
        "http://h\\a/b",
        "http://h%2Fa/b",
        "http://h#a/b",
        "http://h;a/b",
        "http:/login",
        "http:login",
        "h:80/login",
        "/login/..%20/x",
        "/login/.%20."
      })
  void pathWithTooManyMeaningsIsUnusable(String target) {
    CanonicalPath path = CanonicalPath.of(target, true);
    assertThat(path.path()).isSameAs(Descriptor.UNUSABLE);
    assertThat(path.otherReadings()).isEmpty();
  }

  /** Servers that do not inspect a target pass on its raw bytes. */
  @Test
  void rawOrEscapedUtf8BytesAreAlsoReadAsTheirCharacter() {
    for (String target : new String[] {"/caf\u00c3\u00a9", "/caf%C3\u00a9", "/caf\u00c3%A9"}) {
      assertThat(CanonicalPath.of(target, true).otherReadings()).as(target).containsOnly("/café");
    }
    assertThat(CanonicalPath.of("/\u00e2\u0082\u00ac", true).hasReading("/€")).isTrue();
    assertThat(CanonicalPath.of("/caf\u00e9", true)).hasToString("/café");
  }

  @Test
  void canonicalPathIsReturnedUnchanged() {
    String target = "/api/v1/orders/42";
    assertThat(path(target)).isSameAs(target);
  }

  @Test
  void caseFoldingIgnoresTheLocaleAndIsIdempotent() {
    assertThat(CanonicalPath.of("/TITLE/%C3%89", false).path()).isEqualTo("/title/é");
    assertThat(CanonicalPath.of("/ΣΑΣ", false).path()).isEqualTo("/σασ");
    for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
      int lower = CanonicalPath.foldCase(codePoint);
      if (CanonicalPath.foldCase(lower) != lower) {
        fail("case folding is not idempotent: " + codePoint);
      }
    }
  }

  @Test
  void pathsEqualIgnoringCaseFoldToTheSamePath() {
    String kelvin = "\u212A";
    assertThat(CanonicalPath.foldCase("/" + kelvin + "/İ/ẞ/Σς/%3B/%ED%A0%80"))
        .isEqualTo("/k/i/ß/σσ/%3B/%ED%A0%80");
    assertThat(CanonicalPath.foldCase("/𐐀\ud83d%4")).isEqualTo("/𐐨\ud83d%4");
    for (String one : new String[] {"İ", "ı", "I", kelvin, "K", "ſ", "ς", "ẞ", "\u2126"}) {
      for (String other : new String[] {"i", "k", "s", "σ", "ß", "ω"}) {
        assertThat(CanonicalPath.foldCase(one).equals(CanonicalPath.foldCase(other)))
            .as("%s and %s", one, other)
            .isEqualTo(one.equalsIgnoreCase(other));
      }
    }
  }

  @Test
  void overlongPathIsUnusableAndLongQueryIsIgnored() {
    String longest = "/" + "a".repeat(CanonicalPath.MAX_CHARS - 1);
    assertThat(path(longest)).isEqualTo(longest);
    assertThat(path(longest + "/?b")).isEqualTo(longest);
    assertThat(path("/login?" + "x".repeat(100_000))).isEqualTo("/login");
    assertThat(path("/".repeat(10_000) + "login")).isEqualTo("/login");
    for (String tooLong :
        new String[] {
          longest + "b",
          longest + "%41",
          longest + "/b?c",
          "/a".repeat(100_000),
          "/x/..".repeat(100_000) + "/login",
          "/login;" + "x".repeat(100_000),
          "/%00".repeat(3_000)
        }) {
      assertThat(path(tooLong)).isSameAs(Descriptor.UNUSABLE);
    }
  }

  private static String path(String target) {
    return CanonicalPath.of(target, true).path();
  }
}
