package dev.weir.http.request;

import static dev.weir.http.Readers.read;
import static dev.weir.http.Readers.reader;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CookieValueTest {

  @Test
  void spellingsOfACookieAreOneCaller() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "cookie session");
    Set<@Nullable String> callers = new HashSet<>();
    for (String spelled :
        new String[] {
          "abc d",
          "%61bc d",
          "%61%62%63%20%64",
          "abc+d",
          "abc%2Bd",
          "\"abc d\"",
          "\"%61bc+d\"",
          "\"\\141bc d\"",
          "\"\\a\\b\\c d\"",
          " abc d ",
          "+abc+d+"
        }) {
      callers.add(value(reader, FakeRequest.get("/").header("Cookie", "session=" + spelled)));
    }
    assertThat(callers).hasSize(1);
    FakeRequest twice = FakeRequest.get("/").header("Cookie", "session=abc; session=%61bc");
    assertThat(reader.read(twice).value("cookie session")).isEqualTo("abc");
    FakeRequest open = FakeRequest.get("/").header("Cookie", "session=\"abc");
    assertThat(reader.read(open).value("cookie session")).isSameAs(Descriptor.UNUSABLE);
  }

  @Test
  void cookiesThatDifferOnceDecodedStayDifferent() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "cookie session");
    String[] different = {
      "abc",
      "Abc",
      "%2561bc",
      "%FFabc",
      "%25FFabc",
      "%E9",
      "%C3%A9",
      "%",
      "%25%25",
      "%00",
      "%2500",
      "a\"b",
      "a\\141",
      "%22abc%22",
      "s%3Aabc.def%2F%3D"
    };
    Set<@Nullable String> callers = new HashSet<>();
    for (String one : different) {
      callers.add(value(reader, FakeRequest.get("/").header("Cookie", "session=" + one)));
    }
    assertThat(callers).hasSize(different.length);
    assertThat(read("cookie c", FakeRequest.get("/").header("Cookie", "c=s%3Aab.c%2fd%3D")))
        .isEqualTo("s:ab.c/d=");
  }

  private static @Nullable String value(HttpReader reader, FakeRequest request) {
    return reader.read(request).value("cookie session");
  }
}
