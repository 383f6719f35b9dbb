package dev.weir.http.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.ManualClock;
import dev.weir.http.Tokens;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys in a file that changes, or cannot be read, while requests go on. */
class JwksFileTest {
  private static final Descriptor.Names SUB = Descriptor.Names.of(List.of("jwt sub"));

  private final ManualClock clock = new ManualClock();

  @Test
  void changedFileIsReadAgainWithinASecond(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("jwks.json"), Tokens.jwks(Tokens.RSA));
    HttpReader reader = fileReader(file);
    FakeRequest before = signedWith(Tokens.RSA);
    FakeRequest after = signedWith(Tokens.OTHER_RSA);
    assertThat(reader.read(before).value(0)).isEqualTo("ann");
    assertThat(reader.read(after).value(0)).isNull();
    Files.writeString(file, Tokens.jwks(Tokens.OTHER_RSA));
    Files.setLastModifiedTime(file, FileTime.from(ManualClock.START));
    assertThat(reader.read(before).value(0)).as("not checked yet").isEqualTo("ann");
    clock.pass(Duration.ofSeconds(1));
    assertThat(reader.read(before).value(0)).isNull();
    assertThat(reader.read(after).value(0)).isEqualTo("ann");
  }

  @Test
  void unreadableFileLeavesTheKeysUnchanged(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("jwks.json"), Tokens.jwks(Tokens.RSA));
    HttpReader reader = fileReader(file);
    String whole = Tokens.jwks(Tokens.RSA, Tokens.EC);
    Files.writeString(file, whole.substring(0, 50));
    clock.pass(Duration.ofSeconds(1));
    assertThat(reader.read(signedWith(Tokens.RSA)).value(0)).isEqualTo("ann");
    assertThat(reader.meters().of(Event.JWKS_FAILED)).isOne();
    Files.writeString(file, "{\"keys\":" + "{\"a\":".repeat(50_000));
    clock.pass(Duration.ofSeconds(1));
    assertThat(reader.read(signedWith(Tokens.RSA)).value(0)).isEqualTo("ann");
    assertThat(reader.meters().of(Event.JWKS_FAILED)).isEqualTo(2);
    Files.delete(file);
    clock.pass(Duration.ofSeconds(1));
    assertThat(reader.read(signedWith(Tokens.RSA)).value(0)).isEqualTo("ann");
    Files.writeString(file, whole);
    clock.pass(Duration.ofSeconds(1));
    String token = Tokens.sign(Tokens.EC, JWSAlgorithm.ES256, Tokens.ann().build());
    assertThat(reader.read(FakeRequest.get("/").bearer(token)).value(0)).isEqualTo("ann");
  }

  @Test
  void fileWithoutKeysIsRejectedAtTheStart(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("jwks.json");
    assertThatThrownBy(() -> fileReader(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("jwks file: " + file + " (expected: a JWKS file");
    Files.writeString(file, "{\"keys\":[]}");
    assertThatThrownBy(() -> fileReader(file)).hasMessageContaining("no RSA or EC key");
  }

  private HttpReader fileReader(Path file) {
    JwtSettings settings = JwtSettings.of(JwtKeys.file(file));
    return new HttpReader(HttpSettings.DEFAULT.withJwt(settings), SUB, clock, null);
  }

  private static FakeRequest signedWith(JWK key) {
    JWSAlgorithm algorithm = key.equals(Tokens.EC) ? JWSAlgorithm.ES256 : JWSAlgorithm.RS256;
    return FakeRequest.get("/").bearer(Tokens.sign(key, algorithm, Tokens.ann().build()));
  }
}
