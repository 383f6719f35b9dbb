package dev.weir.client.header;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Seeds;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LimitHeadersTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static Advertised read(String... namesAndValues) {
    Map<String, List<String>> headers = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.put(namesAndValues[i], List.of(namesAndValues[i + 1]));
    }
    return new LimitHeaders(InstantSource.fixed(NOW))
        .read(name -> headers.getOrDefault(name, List.of()));
  }

  @Test
  void retryAfterIsReadAsSecondsOrDate() {
    assertThat(read("Retry-After", "7").retryAfterNanos()).hasValue(7 * SECOND);
    assertThat(read("Retry-After", "Thu, 01 Jan 2026 00:00:09 GMT").retryAfterNanos())
        .hasValue(9 * SECOND);
    assertThat(read("Retry-After", "Wed, 31 Dec 2025 00:00:00 GMT").retryAfterNanos()).hasValue(0);
  }

  @Test
  void datesCountFromTheDateOfTheResponse() {
    Advertised read =
        read(
            "Retry-After", "Sat, 03 Jan 2026 00:00:09 GMT",
            "Date", "Sat, 03 Jan 2026 00:00:04 GMT");
    assertThat(read.retryAfterNanos()).hasValue(5 * SECOND);
  }

  @Test
  void rateLimitIsReadWithItsPolicy() {
    Advertised read =
        read(
            "RateLimit", "\"burst\";r=3;t=6, \"day\";r=100;t=3600",
            "RateLimit-Policy", "\"burst\";q=10;w=60, \"day\";q=1000;w=86400;pk=:YQ==:");
    assertThat(read.quotas())
        .containsExactly(
            new Quota(3, 6 * SECOND, OptionalLong.of(10), OptionalLong.of(60 * SECOND)),
            new Quota(
                100, 3_600 * SECOND, OptionalLong.of(1_000), OptionalLong.of(86_400 * SECOND)));
  }

  @Test
  void limitsOfSomethingElseThanRequestsAreIgnored() {
    assertThat(
            read(
                "RateLimit", "\"bytes\";r=0;t=6",
                "RateLimit-Policy", "\"bytes\";q=10;qu=\"content-bytes\";w=60"))
        .isEqualTo(Advertised.NOTHING);
  }

  @Test
  void classicHeadersAreReadInUnixTimeOrSeconds() {
    long reset = NOW.getEpochSecond() + 30;
    Quota expected = new Quota(2, 30 * SECOND, OptionalLong.of(10), OptionalLong.empty());
    for (String text : List.of("30", "" + reset, "" + reset * 1_000)) {
      assertThat(
              read(
                      "X-RateLimit-Remaining", "2",
                      "X-RateLimit-Reset", text,
                      "X-RateLimit-Limit", "10, 10;w=60")
                  .quotas())
          .containsExactly(expected);
    }
  }

  @Test
  void cachedResponsesSayNothingAboutLimits() {
    assertThat(read("RateLimit", "\"a\";r=0;t=6", "Age", "10")).isEqualTo(Advertised.NOTHING);
  }

  @Test
  void extremesAreBounded() {
    Advertised read =
        read(
            "Retry-After",
            "9".repeat(400),
            "RateLimit",
            "\"a\";r=999999999999999;t=999999999999999");
    assertThat(read.retryAfterNanos()).hasValue(LimitHeaders.MAX_NANOS);
    assertThat(read.quotas().get(0).resetNanos()).isEqualTo(LimitHeaders.MAX_NANOS);
  }

  @Test
  void malformedListsAreIgnoredAsAWhole() {
    for (String text :
        List.of(
            "\"a\";r=0;t=6,",
            "\"a;r=0",
            "\"a\";r=1e9;t=6",
            "a b",
            "\"a\";r=;t=6",
            "(\"a\");r=0",
            "\"a\";R=0;t=6",
            "\"a\";r=9999999999999999;t=6",
            "\"\u00e9\";r=0;t=6",
            "limit=1, r=2",
            "\"a\" \"b\"",
            "\"a\";r=0;t=6" + " ".repeat(9_000))) {
      assertThat(read("RateLimit", text)).as(text).isEqualTo(Advertised.NOTHING);
    }
  }

  @Test
  void anythingCanBeRead() {
    String alphabet = "\"a;rt=0 19,:?@%()\\.-*\t\u00e9\0";
    Seeds.run(
        random -> {
          for (int i = 0; i < 20_000; i++) {
            String text = text(random, alphabet);
            Advertised read =
                read(
                    "RateLimit",
                    text,
                    "RateLimit-Policy",
                    text,
                    "Retry-After",
                    text,
                    "Age",
                    text,
                    "X-RateLimit-Remaining",
                    text,
                    "X-RateLimit-Reset",
                    text,
                    "Date",
                    text);
            assertThat(read.waitNanos()).isBetween(0L, LimitHeaders.MAX_NANOS);
          }
        });
  }

  private static String text(SplittableRandom random, String alphabet) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(20); left > 0; left--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }
}
