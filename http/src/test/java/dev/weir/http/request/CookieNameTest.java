package dev.weir.http.request;

import static dev.weir.http.Readers.read;
import static dev.weir.http.Readers.reader;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cookie that only some applications find is unusable. */
class CookieNameTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "My_Session=abc",
        "MY_SESSION=abc",
        "my_session=x; My_Session=abc",
        "My_Session=abc; my_session=x",
        "My_Session=abc; MY_SESSION=abd",
        "my%5fsession=abc",
        "my_sess%69on=abc",
        "my.session=abc",
        "my session=abc",
        "my[session=abc",
        "x=1, my_session=abc",
        "x=1 my_session=abc",
        "x=1,my_session=abc",
        "x=1\tmy_session\t=abc",
        "x my_session=abc",
        ",my_session=abc",
        ", my_session=abc",
        "\u00a0my_session=abc",
        "my_session\u0085=abc",
        "%20my_session=abc",
        "+my_session=abc",
        "my_session=a my_session=abc",
        "my_session=abc x=1",
        "my_session=abc,x=1",
        "my_session=\"abc\" x=\"1\"",
        "my_session=\"abc\", x=\"1\""
      })
  void cookieThatOnlySomeApplicationsFindIsUnusable(String cookies) {
    HttpReader reader = reader(HttpSettings.DEFAULT, "cookie my_session");
    FakeRequest request = FakeRequest.get("/").header("Cookie", cookies);
    assertThat(reader.read(request).value("cookie my_session")).isSameAs(Descriptor.UNUSABLE);
  }

  @Test
  void otherSpellingOfANameWithTheSameValueIsUsable() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "cookie s");
    FakeRequest request =
        FakeRequest.get("/").header("Cookie", "S=abc").header("Cookie", "x=1; s=%61bc");
    assertThat(reader.read(request).value("cookie s")).isEqualTo("abc");
    assertThat(reader.meters().of(Event.COOKIE_DUPLICATE)).isZero();
  }

  @Test
  void namesThatDifferInCaseAreTwoCookiesIfRulesNameBoth() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "cookie session", "cookie Session");
    FakeRequest request = FakeRequest.get("/").header("Cookie", "session=a; Session=b");
    assertThat(reader.read(request).value("cookie session")).isEqualTo("a");
    assertThat(reader.read(request).value("cookie Session")).isEqualTo("b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "my_session2=abc",
        "xmy_session=abc",
        "my-session=abc",
        "__Host-my_session=abc",
        "x=my_session",
        "x=a%20my_session=abc",
        "x={\"my_session\":1}",
        "x=\"a, b\"; y=c d=e"
      })
  void similarNamesAreOtherCookies(String cookies) {
    assertThat(read("cookie my_session", FakeRequest.get("/").header("Cookie", cookies))).isNull();
  }
}
