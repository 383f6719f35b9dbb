package dev.weir.server.admin;

import dev.weir.StoreFailure;
import io.vertx.core.http.HttpServerRequest;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Logs each reset: who asked for it, which rules, which caller, and what was left as it is.
 * Thread-safe.
 */
public final class ResetLog {
  private static final Logger LOG = System.getLogger(ResetLog.class.getName());
  private static final int MAX_RULES = 20;
  private static final int MAX_CHARS = 100;

  /** How much is shown of a value that may be a credential, if that is a small part of it. */
  private static final int SHOWN_CHARS = 4;

  void write(HttpServerRequest request, List<RuleReset> each, @Nullable Throwable failure) {
    String by = request.remoteAddress() == null ? "?" : request.remoteAddress().hostAddress();
    List<String> reset = named(each.stream().filter(one -> !one.isLeft()).toList());
    List<String> left = named(each.stream().filter(RuleReset::isLeft).toList());
    String summary =
        (reset.isEmpty() ? "none" : String.join(", ", reset))
            + (left.isEmpty()
                ? ""
                : "; left, because others share them: " + String.join(", ", left));
    if (failure == null) {
      LOG.log(Level.INFO, "Counters reset by " + by + ": " + summary);
    } else {
      String cause = String.valueOf(StoreFailure.cause(failure).getMessage());
      LOG.log(Level.WARNING, "Counters not reset for " + by + ": " + summary + ": " + cause);
    }
  }

  private static List<String> named(List<RuleReset> rules) {
    List<String> named = new ArrayList<>();
    for (RuleReset one : rules.subList(0, Math.min(MAX_RULES, rules.size()))) {
      named.add(one.rule().name() + caller(one.caller()));
    }
    if (rules.size() > MAX_RULES) {
      named.add("and " + (rules.size() - MAX_RULES) + " more");
    }
    return named;
  }

  private static String caller(List<String> caller) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i + 1 < caller.size(); i += 2) {
      String name = caller.get(i);
      String value = caller.get(i + 1);
      parts.add(
          name.isEmpty() ? "no " + printable(value) : printable(name) + " " + shown(name, value));
    }
    return parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")";
  }

  private static String shown(String name, String value) {
    boolean secret = name.startsWith("header ") || name.startsWith("cookie ");
    if (!secret) {
      return printable(value);
    }
    boolean isLong = value.length() >= 4 * SHOWN_CHARS;
    return (isLong ? printable(value.substring(0, SHOWN_CHARS)) : "") + "***";
  }

  /** The text without characters that could end the line, and not too long. */
  private static String printable(String text) {
    String bounded = text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + "…" : text;
    return bounded.replaceAll("[\\p{Cntrl}\\u2028\\u2029]", "?");
  }
}
