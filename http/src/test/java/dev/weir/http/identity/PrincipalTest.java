package dev.weir.http.identity;

import static dev.weir.http.Readers.read;
import static dev.weir.http.Readers.reader;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.request.HttpRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The authenticated user of an application as a value of requests. */
class PrincipalTest {
  @Test
  void principalIsTheNameThatTheApplicationGives() {
    assertThat(read("principal", FakeRequest.get("/").principal("alice"))).isEqualTo("alice");
    assertThat(read("principal", FakeRequest.get("/").principal(" Älice ")))
        .as("two spellings may be two users")
        .isEqualTo(" Älice ");
  }

  @Test
  void requestWithoutPrincipalHasNone() {
    assertThat(read("principal", FakeRequest.get("/"))).isNull();
    assertThat(read("principal", FakeRequest.get("/").principal(""))).isNull();
    assertThat(read("principal", FakeRequest.get("/").principal(" \t"))).isNull();
    assertThat(read("principal", new BareRequest())).as("of another edge").isNull();
  }

  @Test
  void clientsCannotSendAPrincipal() {
    FakeRequest request =
        FakeRequest.get("/?principal=alice")
            .header("Principal", "alice")
            .header("Cookie", "principal=alice");
    assertThat(read("principal", request)).isNull();
  }

  @Test
  void overlongPrincipalIsUnusableAndCounted() {
    HttpReader reader = reader(HttpSettings.DEFAULT, "principal");
    String longest = "x".repeat(8192);
    assertThat(reader.read(FakeRequest.get("/").principal(longest)).value(0)).isEqualTo(longest);
    String read = reader.read(FakeRequest.get("/").principal(longest + "x")).value(0);
    assertThat(Descriptor.isUnusable(read)).isTrue();
    assertThat(reader.meters().of(Event.HEADER_OVERSIZED)).isEqualTo(1);
  }

  @Test
  void principalThatSpellsTheUnusableMarkerIsAnOrdinaryName() {
    String read = read("principal", FakeRequest.get("/").principal("(unusable)"));
    assertThat(read).isEqualTo("(unusable)");
    assertThat(Descriptor.isUnusable(read)).isFalse();
  }

  @Test
  void onlyTheExactNameIsThePrincipal() {
    assertThat(HttpReader.problem("principal")).isNull();
    assertThat(HttpReader.problem("principal name")).contains("expected: ", "ip exact, principal,");
    assertThat(read("Principal", FakeRequest.get("/").principal("alice"))).isNull();
  }

  private record BareRequest() implements HttpRequest {
    @Override
    public String method() {
      return "GET";
    }

    @Override
    public String target() {
      return "/";
    }

    @Override
    public @Nullable String authority() {
      return null;
    }

    @Override
    public List<String> headers(String name) {
      return List.of();
    }

    @Override
    public @Nullable String peer() {
      return null;
    }
  }
}
