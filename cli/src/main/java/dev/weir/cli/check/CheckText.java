package dev.weir.cli.check;

import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Prints a server's answer to {@code /v1/check} as text. */
final class CheckText {
  /** The end of the year 9999; a later time in an answer is not printed as a date. */
  private static final long MAX_DATE_SECONDS = 253_402_300_799L;

  private final Terminal out;
  private final InstantSource clock;

  CheckText(Terminal out, InstantSource clock) {
    this.out = out;
    this.clock = clock;
  }

  /** Prints the answer to a request. */
  void print(String request, CheckAnswer answer) {
    Style.Piece word = answer.allowed() ? Style.GREEN.of("allowed") : Style.RED.of("denied");
    out.line(Style.BOLD.of(request), ": ", word, " (" + answer.status() + ")");
    if (!answer.allowed()) {
      answer.problem().violated().forEach(name -> field("by", answer.described(name)));
      Long retry = answer.retryAfterSeconds();
      field("retry", retry == null ? noRetry(answer.problem().detail()) : "in " + retry + " s");
    } else if (!answer.standings().isEmpty()) {
      field("tightest", answer.described(answer.standings().get(0).name()));
    }
    field("remaining", remaining(answer));
    field("reset", reset(answer));
    if (answer.delayMillis() != null) {
      field("delay", "hold the request for " + answer.delayMillis() + " ms");
    }
    for (CheckAnswer.Item policy : answer.policies()) {
      field("policy", policy.policy());
    }
    if (answer.allowed() && answer.quota().remaining() == null && answer.policies().isEmpty()) {
      field("limits", "not reported: no rule applies, or the server sends no headers");
    }
  }

  private static String noRetry(@Nullable String detail) {
    return detail == null ? "not reported" : "never: " + detail;
  }

  private static @Nullable String remaining(CheckAnswer answer) {
    CheckAnswer.Quota quota = answer.quota();
    if (quota.remaining() != null) {
      return quota.remaining() + (quota.limit() == null ? "" : " of " + quota.limit());
    }
    Long remaining = answer.standings().isEmpty() ? null : answer.standings().get(0).number("r");
    return remaining == null ? null : remaining.toString();
  }

  private @Nullable String reset(CheckAnswer answer) {
    Long at = answer.quota().resetUnixSeconds();
    if (at == null) {
      return null;
    }
    long wait = Math.max(0, at - clock.instant().getEpochSecond());
    return "in " + wait + " s" + (at > MAX_DATE_SECONDS ? "" : ", at " + Instant.ofEpochSecond(at));
  }

  private void field(String name, @Nullable String value) {
    if (value != null) {
      out.line("  ", Style.DIM.of(name + " ".repeat(Math.max(1, 11 - name.length()))), value);
    }
  }
}
