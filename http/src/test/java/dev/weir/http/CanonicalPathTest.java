package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

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
  void aTargetHasAPath(String target, String path) {
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
  void everySpellingOfAPathIsThatPath(String target) {
    assertThat(path(target)).isEqualTo("/login");
    assertThat(CanonicalPath.of(target, true).otherReading()).isNull();
    assertThat(CanonicalPath.of(target.replace("login", "LogIn"), false).path())
        .isEqualTo("/login");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "/login;a=b > /login%3Ba=b",
        "/login;a=b;c > /login%3Ba=b%3Bc",
        "/;x/login > /%3Bx/login",
        "/x/..;a=b/login > /x/..%3Ba=b/login",
        "/x/%2e%2E;/login > /x/..%3B/login",
        "/login;?x > /login%3B",
        "/login/;x > /login/%3Bx",
        "/login;a/b/.. > /login%3Ba",
        "/x/..;/../login > /x/login",
      })
  void parametersAreNoPartOfAPathAndOfANameInTheOtherReading(String target, String other) {
    CanonicalPath both = CanonicalPath.of(target, true);
    assertThat(both.path()).isEqualTo("/login");
    assertThat(both.otherReading()).isEqualTo(other);
    assertThat(CanonicalPath.of(other, true)).hasToString(other);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/x;y/../login", "/x/;/../../login", "/..;/../login", "/x;%2F../../login"})
  void parametersThatLeadNowhereLeaveOneReading(String target) {
    assertThat(CanonicalPath.of(target, true)).hasToString("/login");
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
        "/log%C0%AFin",
        "/Login",
        "/login%FF",
        "/l%EF%BD%8Fgin",
        "/login*"
      })
  void whatOnlyLooksLikeAPathIsAnother(String target) {
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
        "/%c0%ae%c0%ae/a > /%C0%AE%C0%AE/a",
        "/%ed%a0%80 > /%ED%A0%80",
        "/%f4%90%80%80 > /%F4%90%80%80",
        "/%e2%82 > /%E2%82",
        "/%e2%c3%a9 > /%E2é",
        "/%ff > /%FF",
      })
  void whatMustNotBeDecodedStaysEscapedInUpperCase(String target, String path) {
    assertThat(path(target)).isEqualTo(path);
    assertThat(CanonicalPath.of(target, false).path().substring(0, 4))
        .as("folding leaves escapes alone")
        .isEqualTo(path.substring(0, 4));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "/a%2Fb > /a/b > /a%2Fb",
        "/a%2fb > /a/b > /a%2Fb",
        "/a\\b > /a/b > /a%5Cb",
        "/a%5cb > /a/b > /a%5Cb",
        "/a/..%2Fb > /b > /a/..%2Fb",
        "/a%2F..%2Fb > /b > /a%2F..%2Fb",
        "/a/%2e%2e%2fb/c > /b/c > /a/..%2Fb/c",
        "/a%2F > /a > /a%2F",
        "/%2Fa > /a > /%2Fa",
        "/a;x%2Fb > /a/b > /a%3Bx%2Fb",
        "/a;%2F > /a > /a%3B%2F",
        "/a/..;%2Fb > /b > /a/..%3B%2Fb",
        "/a;x\\b/c > /a/b/c > /a%3Bx%5Cb/c",
        "http://h\\a/b > /a/b > /%5Ca/b",
      })
  void whereServersDisagreeThereAreTwoReadings(String target, String path, String other) {
    CanonicalPath both = CanonicalPath.of(target, true);
    assertThat(both.path()).isEqualTo(path);
    assertThat(both.otherReading()).isEqualTo(other);
  }

  @Test
  void aDisagreementWithoutConsequenceIsNone() {
    assertThat(CanonicalPath.of("/a/%252F", true).otherReading()).isNull();
    assertThat(CanonicalPath.of("/a?b=%2F", true).otherReading()).isNull();
  }

  @Test
  void aPlainPathIsReturnedAsItIs() {
    String target = "/api/v1/orders/42";
    assertThat(path(target)).isSameAs(target);
  }

  @Test
  void caseFoldsWhateverTheLocale() {
    assertThat(CanonicalPath.of("/TITLE/%C3%89", false).path()).isEqualTo("/title/é");
    assertThat(CanonicalPath.of("/ΣΑΣ", false).path()).isEqualTo("/σασ");
    for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
      int folded = CanonicalPath.folded(codePoint);
      if (CanonicalPath.folded(folded) != folded) {
        fail("not folded once and for all: " + codePoint);
      }
    }
  }

  @Test
  void pathsThatEqualIgnoringCaseFoldToOne() {
    String kelvin = "\u212A";
    assertThat(CanonicalPath.folded("/" + kelvin + "/İ/ẞ/Σς/%3B/%ED%A0%80"))
        .isEqualTo("/k/i/ß/σσ/%3B/%ED%A0%80");
    assertThat(CanonicalPath.folded("/𐐀\ud83d%4")).isEqualTo("/𐐨\ud83d%4");
    for (String one : new String[] {"İ", "ı", "I", kelvin, "K", "ſ", "ς", "ẞ", "\u2126"}) {
      for (String other : new String[] {"i", "k", "s", "σ", "ß", "ω"}) {
        assertThat(CanonicalPath.folded(one).equals(CanonicalPath.folded(other)))
            .as("%s and %s", one, other)
            .isEqualTo(one.equalsIgnoreCase(other));
      }
    }
  }

  @Test
  void aLongPathIsCutAndALongQueryOrDetourIsNot() {
    String most = "/" + "a".repeat(CanonicalPath.MOST_CHARS - 1);
    assertThat(path(most)).isEqualTo(most);
    assertThat(path(most + "b")).isEqualTo(most);
    assertThat(path(most + "/b?c")).isEqualTo(most);
    assertThat(path("/login?" + "x".repeat(100_000))).isEqualTo("/login");
    assertThat(path("/".repeat(100_000) + "login")).isEqualTo("/login");
    assertThat(path("/x/..".repeat(100_000) + "/login")).isEqualTo("/login");
    assertThat(path("/login;" + "x".repeat(100_000))).isEqualTo("/login");
    assertThat(path("/a".repeat(100_000))).hasSize(CanonicalPath.MOST_CHARS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%00", "😀", "/..x", "%F0%9F%98%80", "/.x", "%C2%80", "//", "%"})
  void aCutPathIsCanonical(String unit) {
    for (int shift = 0; shift < 12; shift++) {
      String path = path("/" + "a".repeat(shift) + unit.repeat(9000));
      assertThat(path.length()).isLessThanOrEqualTo(CanonicalPath.MOST_CHARS);
      assertThat(path(path)).as("%s after %d", unit, shift).isEqualTo(path);
    }
  }

  private static String path(String target) {
    return CanonicalPath.of(target, true).path();
  }
}
