package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Actions that make no sense are refused, with the field, its value and what was expected. */
class RejectedActionsTest extends ActionsApiFixture {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "| body: not JSON (expected: a JSON object such as {\"action\": \"shadow\", …})",
        "[] | body: not an object (expected: a JSON object such as {\"action\": \"shadow\", …})",
        "{} | action: null (expected: multiply, shadow, block or exempt)",
        "{\"action\": 7} | action: 7 (expected: multiply, shadow, block or exempt)",
        "{\"action\": \"shadow\", \"factor\": 2} | field: factor (expected: action, rule, for or until, why)",
        "{\"action\": \"shadow\", \"for\": \"1m\", WHY} | rule: null (expected: the name of a rule, or domain/path)",
        "{\"action\": \"shadow\", \"rule\": 1, \"for\": \"1m\", WHY} | rule: 1 (expected: the name of a rule, or domain/path)",
        "{\"action\": \"shadow\", \"rule\": \"eahc\", \"for\": \"1m\", WHY} | rule: eahc (expected: each; did you mean that?)",
        "{\"action\": \"shadow\", \"rule\": \"nothing\", \"for\": \"1m\", WHY} | rule: nothing (expected: one of address, each, site)",
        "{\"action\": \"shadow\", \"rule\": \"each\", WHY} | for, until: neither (expected: one of them)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"for\": \"1m\", \"until\": \"2030-01-01T00:00:00Z\", WHY} | for, until: both (expected: one of them)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"for\": \"soon\", WHY} | for: soon (expected: a number and ms, s, m, h or d, such as 15m)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"for\": 15, WHY} | for: 15 (expected: a number and ms, s, m, h or d, such as 15m)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"for\": \"999ms\", WHY} | for: 999ms (expected: between 1 s and 7 d from now)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"for\": \"8d\", WHY} | for: 8d (expected: between 1 s and 7 d from now)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"for\": \"999999999d\", WHY} | for: 999999999d (expected: between 1 s and 7 d from now)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"until\": \"tomorrow\", WHY} | until: tomorrow (expected: a time in UTC, such as 2026-11-17T09:30:00Z)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"until\": \"2020-01-01T00:00:00Z\", WHY} | until: 2020-01-01T00:00:00Z (expected: between 1 s and 7 d from now)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"until\": \"+1000000000-12-31T23:59:59Z\", WHY} | until: +1000000000-12-31T23:59:59Z (expected: between 1 s and 7 d from now)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"for\": \"1m\"} | why: null (expected: the reason, for others: 1 to 500 characters, all of them visible)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"for\": \"1m\", \"why\": \" \"} | why:   (expected: the reason, for others: 1 to 500 characters, all of them visible)",
        "{\"action\": \"shadow\", \"rule\": \"each\", \"for\": \"1m\", \"why\": \"a\\nb\"} | ~why: a\nb (expected: the reason, for others: 1 to 500 characters, all of them visible)~",
        "{\"action\": \"multiply\", \"rule\": \"each\", \"for\": \"1m\", \"factor\": 0, WHY} | factor: 0 (expected: a number above 0 such as 2 or 0.5; at most 1000000, and 6 digits after the point)",
        "{\"action\": \"multiply\", \"rule\": \"each\", \"for\": \"1m\", \"factor\": -1, WHY} | factor: -1 (expected: a number above 0 such as 2 or 0.5; at most 1000000, and 6 digits after the point)",
        "{\"action\": \"multiply\", \"rule\": \"each\", \"for\": \"1m\", \"factor\": \"2e9\", WHY} | factor: 2e9 (expected: a number above 0 such as 2 or 0.5; at most 1000000, and 6 digits after the point)",
        "{\"action\": \"multiply\", \"rule\": \"each\", \"for\": \"1m\", \"factor\": \"1000001\", WHY} | factor: 1000001 (expected: a number above 0 such as 2 or 0.5; at most 1000000, and 6 digits after the point)",
        "{\"action\": \"multiply\", \"rule\": \"each\", \"for\": \"1m\", \"factor\": \"0.4\", WHY} | factor: 0.4x: permits: 0.4x of 2 (expected: at least one permit)",
        "{\"action\": \"multiply\", \"rule\": \"each\", \"for\": \"1m\", \"factor\": 2, \"caller\": \"0123456789abcdef\", WHY} | field: caller (expected: action, rule, factor, for or until, why)",
        "{\"action\": \"multiply\", \"rule\": \"each\", \"for\": \"1m\", \"factor\": 2, \"values\": {}, WHY} | caller, values, request: a caller (expected: none of them)",
        "{\"action\": \"block\", \"for\": \"1m\", WHY} | caller, values, request: nothing (expected: one of caller, values, request)",
        "{\"action\": \"block\", \"caller\": \"0123456789abcdef\", \"values\": {}, \"for\": \"1m\", WHY} | caller, values, request: both ways (expected: one of caller, values, request)",
        "{\"action\": \"block\", \"caller\": \"xyz\", \"for\": \"1m\", WHY} | caller: xyz (expected: the hash of a caller: 16 hexadecimal digits)",
        "{\"action\": \"block\", \"caller\": 7, \"for\": \"1m\", WHY} | caller: 7 (expected: the hash of a caller: 16 hexadecimal digits)",
        "{\"action\": \"block\", \"values\": {\"pth\": \"/\"}, \"for\": \"1m\", WHY} | values.pth: unknown name",
        "{\"action\": \"block\", \"values\": {\"path\": \"/\"}, \"for\": \"1m\", WHY} | values: site: the rule counts all callers together; each: the rule counts all requests without key (expected: what identifies a single caller)",
        "{\"action\": \"block\", \"values\": {\"path\": \"/a\", \"header x-key\": \"k\", \"ip\": \"192.0.2.1\"}, \"for\": \"1m\", WHY} | expected: one of them, named by rule",
        "{\"action\": \"block\", \"rule\": \"site\", \"values\": {\"path\": \"/\"}, \"for\": \"1m\", WHY} | values: site: the rule counts all callers together (expected: what identifies a single caller)",
      })
  void invalidActionIsRejected(@Nullable String body, String detail) {
    String given = body == null ? "" : body.replace("WHY", WHY);
    assertThat(rejected(given)).contains(detail);
    assertThat(list()).isEmpty();
  }

  @Test
  void allCallersTogetherAreNoCaller() {
    // The hash of the identity of which a rule without one counts everybody.
    String everybody = String.format("%016x", hashOfEverybody());
    assertThat(
            rejected(
                "{\"action\": \"block\", \"caller\": \""
                    + everybody
                    + "\", \"for\": \"1m\", "
                    + WHY
                    + "}"))
        .contains("all callers together (expected: a single caller)");
  }

  private long hashOfEverybody() {
    return served
        .watch
        .current()
        .book()
        .match(Descriptor.of(Map.of("path", "/")))
        .claims()
        .get(0)
        .key()
        .high();
  }

  @Test
  void reasonMayHaveFiveHundredCharactersOfAnyScript() {
    String why = "ключ 鍵 ☂ ".repeat(60).substring(0, 499) + ".";
    JsonObject body =
        new JsonObject()
            .put("action", "shadow")
            .put("rule", "each")
            .put("for", "1m")
            .put("why", why);
    assertThat(take(body.encode()).getString("why")).isEqualTo(why);
    assertThat(rejected(body.put("why", why + "x").encode()))
        .startsWith("why: 501 characters (expected: ");
  }
}
