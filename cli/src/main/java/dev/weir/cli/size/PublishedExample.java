package dev.weir.cli.size;

import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.cli.size.model.MeasuredTables;
import dev.weir.cli.size.model.SizePlan;
import dev.weir.cli.size.model.SizeSettings;
import dev.weir.cli.size.model.SizedLimit;
import dev.weir.cli.terminal.Json;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A published estimate, beside what Weir takes for the same. */
final class PublishedExample {
  /** Where the estimate comes from. */
  static final String SOURCE =
      "\"Rate Limiting Demystified\", part 4, \"Capacity Planning for Redis Rate Limiting\"";

  private static final long USERS = 1_000_000;
  private static final long WINDOWS_BYTES = USERS * 3 * (50 + 8);
  private static final long LOG_BYTES = USERS * 1_000 * 20;

  private final SizeSettings settings;
  private final SizePlan windows;
  private final SizePlan log;

  PublishedExample(SizeSettings settings, MeasuredTables tables) {
    this.settings = settings;
    this.windows =
        plan(
            tables,
            Limit.fixedWindow(10, Duration.ofSeconds(1)),
            Limit.fixedWindow(100, Duration.ofMinutes(1)),
            Limit.fixedWindow(10_000, Duration.ofDays(1)));
    this.log = plan(tables, Limit.slidingLog(1_000, Duration.ofHours(1)));
  }

  private SizePlan plan(MeasuredTables tables, Limit... limits) {
    List<SizedLimit> sized =
        List.of(limits).stream()
            .map(limit -> new SizedLimit("user", limit, Mode.STRICT, USERS))
            .toList();
    return SizePlan.of(sized, settings.onOneNode(), tables);
  }

  void print(Terminal out) {
    out.line(Style.BOLD.of("1,000,000 users, all at once"));
    new TextTable("", "published", "in Redis " + settings.redis().name(), "in process")
        .row("3 windows: second, minute, day", text(WINDOWS_BYTES), redis(windows), heap(windows))
        .row("a sliding log of 1,000, full", text(LOG_BYTES), redis(log), heap(log))
        .print(out);
    out.line();
    out.line("published: ", SOURCE);
    out.line("  3 keys x (50 bytes of name + 8 of value), and 1000 entries x 20 bytes.");
    out.line("  It leaves out the entry of each key in Redis' two tables, the slots of the");
    out.line("  tables, the time to live, and what the allocator rounds up.");
    out.line("Weir: names of 26 bytes, values of 24 to 30 with the limit they were written");
    out.line("  under, and 16 bytes for each entry of a log.");
  }

  Map<String, @Nullable Object> json() {
    return Json.object(
        "users", USERS,
        "published", SOURCE,
        "redis", settings.redis().about(),
        "windows", numbers(WINDOWS_BYTES, windows),
        "slidingLog", numbers(LOG_BYTES, log));
  }

  private static Map<String, @Nullable Object> numbers(long published, SizePlan plan) {
    return Json.object(
        "publishedBytes", published,
        "redisBytes", Math.round(plan.redis().bytes()),
        "processBytes", Math.round(plan.heap().bytes()));
  }

  private static String redis(SizePlan plan) {
    return text(plan.redis().bytes());
  }

  private static String heap(SizePlan plan) {
    return text(plan.heap().bytes());
  }

  private static String text(double bytes) {
    return ByteFlag.text(bytes);
  }
}
