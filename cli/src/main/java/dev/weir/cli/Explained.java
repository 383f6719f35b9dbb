package dev.weir.cli;

import dev.weir.Descriptor;
import dev.weir.http.HttpMeters;
import dev.weir.http.HttpReader;
import dev.weir.http.JwtKeys;
import dev.weir.http.JwtSettings;
import dev.weir.rule.Explanation;
import dev.weir.rule.Match;
import dev.weir.rule.PathReadings;
import dev.weir.rule.RuleBook;
import dev.weir.yaml.RuleSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the rules make of one request.
 *
 * @param request null if the caller is not HTTP
 * @param values what the rules read of it, and what a reader wants to know beside that
 * @param meters what about it was not as it should be
 * @param each what each rule makes of it
 * @param match what all of them make of it
 */
record Explained(
    RuleSet rules,
    @Nullable AskedRequest request,
    Descriptor values,
    HttpMeters meters,
    List<Explanation> each,
    Match match) {

  /** Any but 0: with it the limits on what is in flight are explained too. */
  private static final long PERMIT = 1;

  private static final List<String> ALWAYS_SHOWN =
      List.of("method", "path", PathReadings.NAME, "host", "ip", "ip exact");
  private static final long MAX_WAIT_MILLIS = 10_000;

  static Explained of(RuleSet rules, @Nullable AskedRequest request, Map<String, String> entries) {
    RuleBook book = rules.book();
    Map<String, String> values = new HashMap<>(entries);
    HttpMeters meters = new HttpMeters();
    if (request != null) {
      Set<String> names = new LinkedHashSet<>(book.names().list());
      names.addAll(ALWAYS_SHOWN);
      try (HttpReader reader =
          new HttpReader(rules.http(), Descriptor.Names.of(List.copyOf(names)))) {
        awaitKeys(rules.http().jwt(), reader.meters());
        Descriptor read = reader.read(request);
        for (String name : names) {
          String value = read.value(name);
          if (value != null) {
            values.put(name, value);
          }
        }
        meters = reader.meters();
      }
    }
    Descriptor all = Descriptor.of(values);
    return new Explained(
        rules, request, all, meters, book.explain(all, PERMIT), book.match(all, PERMIT));
  }

  /** A server fetches keys in the background and never waits; here is but one request to wait. */
  private static void awaitKeys(@Nullable JwtSettings jwt, HttpMeters meters) {
    if (jwt == null || !(jwt.keys() instanceof JwtKeys.Url)) {
      return;
    }
    long start = System.nanoTime();
    while (meters.of(HttpMeters.Event.JWKS_LOADED) + meters.of(HttpMeters.Event.JWKS_FAILED) == 0
        && System.nanoTime() - start < MAX_WAIT_MILLIS * 1_000_000) {
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
