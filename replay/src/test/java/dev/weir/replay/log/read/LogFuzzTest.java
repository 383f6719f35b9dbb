package dev.weir.replay.log.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.format.LogFormats;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever a file has: each line is a request, bad or skipped, and nothing is thrown. */
class LogFuzzTest {
  private static final Map<String, String> LINES =
      Map.of(
          "combined",
              "1.2.3.4 - - [10/Oct/2026:13:55:36 +0200] \"GET /a\\x22?q HTTP/1.1\" 200 2 \"-\""
                  + " \"u\\\"a\"",
          "weir",
              "1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 2 \"-\" \"-\" r u"
                  + " 0.100000 i",
          "envoy",
              "[2026-10-10T20:17:00.310Z] \"POST /a HTTP/2\" 204 - 1 0 226 100 \"1.1.1.1\" \"u\""
                  + " \"c\" \"l\" \"t\"",
          "alb",
              "h2 2026-10-10T22:23:00.186641Z app/l 1.1.1.1:2 - 0.1 -1 0.0 200 - 0 5 \"GET"
                  + " https://h:1/ H\" \"c\"",
          "w3c",
              "#Fields: date time c-ip cs-method cs-uri-stem time-taken\n"
                  + "2026-10-10 10:00:00 1.1.1.1 GET /\\u00e9%41 5",
          "json",
              "{\"time\":1791640536.5,\"client\":\"[::1]:5\",\"path\":\"/\\u00e9\\\"\",\"h\":{\"a\":[1,{}]},\"took\":\"5ms\"}");

  @Test
  void nothingIsThrownAndEveryLineIsCounted() {
    Seeds.run(
        random -> {
          for (int round = 0; round < Effort.of(60, 2_000); round++) {
            List<String> names = LINES.keySet().stream().sorted().toList();
            String name = names.get(random.nextInt(names.size()));
            byte[] text = text(LINES.getOrDefault(name, ""), random);
            check(name, text);
          }
        });
  }

  private static void check(String name, byte[] text) throws IOException {
    ReadOptions options = ReadOptions.defaults().withMaxHeld(50);
    Logs logs;
    try {
      logs = Logs.read(options.withFormat(LogFormats.named(name)), text);
    } catch (IOException e) {
      assertThat(e.getMessage()).contains("expected: ");
      return;
    }
    assertThat(logs.entries.size() + logs.bad + logs.skipped).isEqualTo(logs.lines);
    assertThat(logs.entries).isSortedAccordingTo(Comparator.comparingLong(LogEntry::arrivalMicros));
    for (LogEntry entry : logs.entries) {
      entry.field("%u");
      entry.field("h.a");
      entry.headers("user-agent");
    }
    long lines = 0;
    for (byte one : text) {
      lines += one == '\n' ? 1 : 0;
    }
    assertThat(logs.lines).isEqualTo(lines);
  }

  private static byte[] text(String line, SplittableRandom random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < 40; i++) {
      byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
      int kind = random.nextInt(5);
      if (kind == 1) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      } else if (kind == 2) {
        for (int n = random.nextInt(4); n >= 0; n--) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
      } else if (kind == 3) {
        bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
      } else if (kind == 4) {
        int at = random.nextInt(bytes.length);
        bytes[at] = (byte) "\"\\[]{}:,- %\t9".charAt(random.nextInt(13));
      }
      out.writeBytes(bytes);
      out.write('\n');
    }
    return out.toByteArray();
  }
}
