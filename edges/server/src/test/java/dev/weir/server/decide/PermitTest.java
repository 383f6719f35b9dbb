package dev.weir.server.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.key.KeySpace;
import dev.weir.server.OpenApiDocument;
import dev.weir.server.TestServer;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Only an unchanged permit that a server granted is released. */
@Timeout(300)
class PermitTest {
  private static final String RULES =
      "rules: [{name: flight, match: {path: /slow}, concurrent: 1}]";
  private static final String SLOW = TestServer.values("/slow");

  private static HttpResponse<String> release(TestServer served, byte[] permit) {
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(permit);
    return served.postWith(
        "/v1/release", "{\"permit\": \"" + text + "\"}", "Content-Type", "application/json");
  }

  private static byte[] taken(TestServer served) {
    return Base64.getUrlDecoder().decode(served.decide(SLOW).getString("permit"));
  }

  @Test
  void permitWithAnyChangedByteIsRejectedAndReleasesNothing() {
    try (TestServer served = TestServer.open(RULES)) {
      byte[] permit = taken(served);
      for (int i = 0; i < permit.length; i++) {
        byte[] forged = permit.clone();
        forged[i] ^= 1;
        HttpResponse<String> refused = release(served, forged);
        assertThat(refused.statusCode()).as("byte %d", i).isEqualTo(400);
        assertThat(new JsonObject(refused.body()).getString("detail"))
            .isEqualTo("permit: unknown (expected: the permit of a decision)");
      }
      assertThat(served.decide(SLOW).getBoolean("allowed")).isFalse();
      assertThat(release(served, permit).statusCode()).isEqualTo(200);
      assertThat(served.decide(SLOW).getBoolean("allowed")).isTrue();
    }
  }

  @Test
  void permitOfAnotherSecretIsRejected() {
    try (TestServer others = TestServer.open(RULES);
        TestServer served = TestServer.open(RULES)) {
      assertThat(release(served, taken(others)).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void releaseIsIdempotent() {
    try (TestServer served = TestServer.open(RULES)) {
      byte[] permit = taken(served);
      for (int i = 0; i < 2; i++) {
        assertThat(new JsonObject(release(served, permit).body()))
            .isEqualTo(new JsonObject().put("held", false));
      }
    }
  }

  private static final Claim STRICT = claim(Mode.STRICT);
  private static final Claim LOCAL = claim(Mode.local());

  private static Claim claim(Mode mode) {
    Limit limit = Limit.concurrent(3, Duration.ofSeconds(60));
    return new Claim(limit, new LimitKey(1, mode.isLocal() ? 2 : 3), 1, 7, mode);
  }

  private static Decision counted(Basis... each) {
    return Decision.of(
        Stream.of(each).map(basis -> Decision.allowed(1, 60_000_000, basis)).toList());
  }

  @Test
  void anyServerWithTheSecretReleasesAPermitOfTheStore() {
    KeySpace keys = KeySpace.random();
    String permit = new Permits(keys, 1).of(List.of(STRICT), counted(Basis.COUNTED)).orElseThrow();
    assertThat(new Permits(keys, 2).parse(permit))
        .isEqualTo(new Permits.Held(List.of(STRICT), false));
  }

  @Test
  void locallyCountedPermitIsNotReleasedByAnotherServer() {
    KeySpace keys = KeySpace.random();
    Permits giver = new Permits(keys, 1);
    Permits other = new Permits(keys, 2);
    String mixed =
        giver.of(List.of(STRICT, LOCAL), counted(Basis.COUNTED, Basis.COUNTED)).orElseThrow();
    assertThat(giver.parse(mixed)).isEqualTo(new Permits.Held(List.of(STRICT, LOCAL), false));
    assertThat(other.parse(mixed)).isEqualTo(new Permits.Held(List.of(STRICT), true));
    String alone = giver.of(List.of(STRICT), counted(Basis.LOCAL)).orElseThrow();
    assertThat(giver.parse(alone)).isEqualTo(new Permits.Held(List.of(STRICT), false));
    assertThat(other.parse(alone)).isEqualTo(new Permits.Held(List.of(STRICT), true));
  }

  @Test
  void releaseOfLocallyCountedPermitAtAnotherServerIsAConflict() {
    String rules = "rules: [{name: flight, match: {path: /slow}, concurrent: 1, mode: local}]";
    KeySpace keys = KeySpace.random();
    try (TestServer giver = TestServer.sharing(keys, rules);
        TestServer other = TestServer.sharing(keys, rules)) {
      byte[] permit = taken(giver);
      HttpResponse<String> conflict = release(other, permit);
      assertThat(conflict.statusCode()).isEqualTo(409);
      OpenApiDocument.conforms(other, conflict, "/v1/release", "post");
      assertThat(giver.decide(SLOW).getBoolean("allowed")).isFalse();
      assertThat(release(giver, permit).statusCode()).isEqualTo(200);
      assertThat(giver.decide(SLOW).getBoolean("allowed")).isTrue();
    }
  }
}
