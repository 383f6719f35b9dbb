package dev.weir.cli.reset;

import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import dev.weir.cli.terminal.Wording;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Prints which counters were reset, as text. */
final class ResetText {
  private final Terminal out;

  ResetText(Terminal out) {
    this.out = out;
  }

  void print(Map<?, ?> done) {
    long left = number(done, "left");
    String rest = left == 0 ? "" : ", left " + left + " that other callers share";
    out.line("Reset ", Wording.count(number(done, "reset"), "counter"), rest);
    List<?> counters = done.get("counters") instanceof List<?> list ? list : List.of();
    for (Object one : counters) {
      if (one instanceof Map<?, ?> counter) {
        line(counter);
      }
    }
  }

  private void line(Map<?, ?> counter) {
    boolean reset = counter.get("reset") == Boolean.TRUE;
    Style.Piece word = reset ? Style.GREEN.of("reset  ") : Style.YELLOW.of("left   ");
    Object shared = counter.get("shared");
    out.line(
        "  ",
        word,
        String.valueOf(counter.get("policy")),
        ": ",
        counter.get("limit") instanceof Map<?, ?> limit ? limit(limit) : "",
        shared == null ? "" : "; " + shared);
  }

  private static String limit(Map<?, ?> limit) {
    String algorithm = String.valueOf(limit.get("algorithm"));
    Duration window = Duration.ofMillis(number(limit, "windowMillis"));
    Object calendar = limit.get("calendar");
    String per = calendar == null ? Wording.window(window) : calendar.toString();
    return Wording.limit(
        algorithm, number(limit, "permits"), per, number(limit, "capacity"), window);
  }

  private static long number(Map<?, ?> object, String name) {
    return object.get(name) instanceof Number number ? number.longValue() : 0;
  }
}
