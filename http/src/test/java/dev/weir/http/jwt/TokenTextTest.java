package dev.weir.http.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import dev.weir.http.Tokens;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenTextTest {
  @ParameterizedTest
  @CsvSource({
    "e30.e30.AA, SIGNED",
    "e30.e30.AAA, SIGNED",
    "e30.e30.AAAA, SIGNED",
    "e30.e30.-_-_, SIGNED",
    "e30.e30., UNSIGNED",
    "e30.AA.AA.AA.AA, ENCRYPTED",
    "e30..AA.AA.AA, ENCRYPTED",
    "e30.e30.A, AMBIGUOUS",
    "e30.e30.AB, AMBIGUOUS",
    "e30.e30.AAB, AMBIGUOUS",
    "e30.e31.AA, AMBIGUOUS",
    "e30.e30.AA==, AMBIGUOUS",
    "e30.e30.+/+/, AMBIGUOUS",
    "e30.e30.AA!, AMBIGUOUS",
    "e30.e30.A A, AMBIGUOUS",
    ".e30.AA, AMBIGUOUS",
    "e30..AA, AMBIGUOUS",
    ".., AMBIGUOUS",
    "e30.e30.AA.AA, AMBIGUOUS",
    "e30.e30, OTHER",
    "abc, OTHER",
    "a!b, OTHER",
    "'', OTHER",
  })
  void textIsClassifiedByItsCharacters(String text, TokenText kind) {
    assertThat(TokenText.of(text)).isEqualTo(kind);
  }

  /** Any bytes have exactly one accepted encoding. */
  @Test
  void signatureBytesHaveOneAcceptedSpelling() {
    Random random = new Random(18);
    String letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (int length = 1; length < 70; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      String part = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
      assertThat(TokenText.of("e30.e30." + part)).isEqualTo(TokenText.SIGNED);
      int good = 0;
      for (int i = 0; i < letters.length(); i++) {
        String other = part.substring(0, part.length() - 1) + letters.charAt(i);
        good += TokenText.of("e30.e30." + other) == TokenText.SIGNED ? 1 : 0;
      }
      assertThat(good).as("last characters").isEqualTo(new int[] {64, 4, 16}[length % 3]);
    }
  }

  @Test
  void tokenIsFoundInsideAText() {
    String token = Tokens.sign(Tokens.SECRET, JWSAlgorithm.HS256, Tokens.ann().build());
    for (String text : new String[] {token, "a " + token, "eyJ" + token, "eyJ. eyJ." + token}) {
      assertThat(TokenText.containsToken(text)).as(text).isTrue();
    }
    for (String text : new String[] {"", "eyJ", "eyJ.", "eyJ..", "eyJ.a", "eyJa b.c.d", "a.b.c"}) {
      assertThat(TokenText.containsToken(text)).as(text).isFalse();
    }
    assertThat(TokenText.containsToken("eyJ".repeat(50_000))).isFalse();
  }
}
