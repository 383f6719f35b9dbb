package dev.weir.replay.log.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.log.AccessEntry;
import dev.weir.gateway.log.AccessFormat;
import dev.weir.replay.log.LogEntry;
import dev.weir.testkit.Seeds;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the gateway has logged is read back as it was. */
class WeirLogsTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00.123Z");

  @ParameterizedTest
  @EnumSource(AccessFormat.class)
  void requestsAreReadBackAsTheyWere(AccessFormat format) {
    Seeds.run(
        random -> {
          List<AccessEntry> written = new ArrayList<>();
          StringBuilder text = new StringBuilder();
          for (int i = 0; i < 200; i++) {
            written.add(entry(START.plusSeconds(i), random));
            text.append(format.line(written.get(i))).append('\n');
          }
          Logs logs = Logs.read(text.toString());
          assertThat(logs.reasons).isEmpty();
          assertThat(logs.entries).hasSize(200);
          assertThat(logs.formats)
              .containsExactly(format == AccessFormat.JSON ? "weir-json" : "weir");
          for (int i = 0; i < 200; i++) {
            check(format, written.get(i), logs.entries.get(i));
          }
        });
  }

  private static void check(AccessFormat format, AccessEntry written, LogEntry read) {
    boolean json = format == AccessFormat.JSON;
    Instant time = written.time().truncatedTo(json ? ChronoUnit.MILLIS : ChronoUnit.SECONDS);
    assertThat(read.arrivalMicros()).isEqualTo(ChronoUnit.MICROS.between(Instant.EPOCH, time));
    assertThat(read.resolutionMicros()).isEqualTo(json ? 1_000 : 1_000_000);
    assertThat(read.durationMicros()).hasValue(written.response().micros());
    assertThat(read.method()).isEqualTo(written.request().method());
    assertThat(read.target()).isEqualTo(written.request().target());
    assertThat(read.peer()).isEqualTo(written.request().client());
    assertThat(read.status()).isEqualTo(written.response().status());
    assertThat(read.headers("user-agent")).isEqualTo(list(written.request().userAgent()));
    assertThat(read.headers("referer")).isEqualTo(list(written.request().referer()));
    if (json) {
      assertThat(read.authority()).isEqualTo(written.request().host());
      assertThat(read.field("rule")).isEqualTo(written.rule());
      assertThat(read.field("requestId")).isEqualTo("r1");
    }
  }

  private static List<String> list(@Nullable String value) {
    return value == null ? List.of() : List.of(value);
  }

  private static AccessEntry entry(Instant time, SplittableRandom random) {
    boolean bare = random.nextInt(10) == 0;
    AccessEntry.Request request =
        new AccessEntry.Request(
            bare ? null : "10.0.0." + random.nextInt(250),
            random.nextBoolean() ? "GET" : "POST",
            "/" + text(random),
            "HTTP/1.1",
            bare ? null : "a.example",
            bare ? null : "r" + text(random),
            bare ? null : "u" + text(random));
    AccessEntry.Response response =
        new AccessEntry.Response(200 + random.nextInt(300), 1, 2, random.nextInt(9_000_000), 0);
    return new AccessEntry(
        time,
        request,
        response,
        "complete",
        bare ? null : "api",
        new AccessEntry.Upstream("up", null),
        new AccessEntry.Ids("r1", "t1"));
  }

  /** Any bytes, as servers read them. */
  private static String text(SplittableRandom random) {
    StringBuilder out = new StringBuilder();
    for (int i = random.nextInt(30); i > 0; i--) {
      int one = random.nextInt(4) == 0 ? random.nextInt(256) : 'a' + random.nextInt(26);
      out.append((char) one);
    }
    return out.toString();
  }
}
