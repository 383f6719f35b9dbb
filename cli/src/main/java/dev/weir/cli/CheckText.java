package dev.weir.cli;

import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Tells people what a server answered to {@code /v1/check}. */
final class CheckText {
  private final Terminal out;
  private final InstantSource clock;

  CheckText(Terminal out, InstantSource clock) {
    this.out = out;
    this.clock = clock;
  }

  void print(String request, CheckAnswer answer) {
    Style.Piece word = answer.allowed() ? Style.GREEN.of("allowed") : Style.RED.of("denied");
    out.line(Style.BOLD.of(request), ": ", word, " (" + answer.status() + ")");
    if (!answer.allowed()) {
      answer.violated().forEach(name -> field("by", answer.described(name)));
      Long retry = answer.retryAfterSeconds();
      field("retry", retry == null ? told(answer.detail()) : "in " + retry + " s");
    } else if (!answer.standings().isEmpty()) {
      field("tightest", answer.described(answer.standings().get(0).name()));
    }
    field("remaining", remaining(answer));
    field("reset", reset(answer));
    if (answer.delayMillis() != null) {
      field("delay", "hold it back for " + answer.delayMillis() + " ms");
    }
    for (CheckAnswer.Item policy : answer.policies()) {
      field("policy", policy.policy());
    }
    if (answer.allowed() && answer.remaining() == null && answer.policies().isEmpty()) {
      field("limits", "none told: no rule applies, or the server sends no headers");
    }
  }

  private static String told(@Nullable String detail) {
    return detail == null ? "no wait is told" : "never: " + detail;
  }

  private static @Nullable String remaining(CheckAnswer answer) {
    if (answer.remaining() != null) {
      return answer.remaining() + (answer.limit() == null ? "" : " of " + answer.limit());
    }
    Long told = answer.standings().isEmpty() ? null : answer.standings().get(0).number("r");
    return told == null ? null : told.toString();
  }

  private @Nullable String reset(CheckAnswer answer) {
    Long at = answer.resetUnixSeconds();
    if (at == null) {
      return null;
    }
    long wait = Math.max(0, at - clock.instant().getEpochSecond());
    return "in " + wait + " s" + (at > MAX_SECONDS ? "" : ", at " + Instant.ofEpochSecond(at));
  }

  /** What a server says is not to make us fail: no later than a year of five digits. */
  private static final long MAX_SECONDS = 253_402_300_799L;

  private void field(String name, @Nullable String value) {
    if (value != null) {
      out.line("  ", Style.DIM.of(name + " ".repeat(Math.max(1, 11 - name.length()))), value);
    }
  }
}
