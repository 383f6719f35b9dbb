package dev.weir.cli.explain;

import dev.weir.Descriptor;
import dev.weir.cli.command.SyntheticRequest;
import dev.weir.http.HttpMeters;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.jwt.JwtKeys;
import dev.weir.http.jwt.JwtSettings;
import dev.weir.rule.book.Explanation;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.rule.condition.PathReadings;
import dev.weir.rules.RuleSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a set of rules applies to one request.
 *
 * @param request null if the caller is not HTTP
 * @param values the values that the rules read, and those that are always shown
 * @param meters counts of irregularities in the request
 * @param each the explanation of each rule
 * @param match the combined result of all rules
 */
record RequestExplanation(
    RuleSet rules,
    @Nullable SyntheticRequest request,
    Descriptor values,
    HttpMeters meters,
    List<Explanation> each,
    Match match) {

  /** Any number except 0, so that concurrency limits are explained as well. */
  private static final long PERMIT = 1;

  private static final List<String> ALWAYS_SHOWN =
      List.of("method", "path", PathReadings.NAME, "host", "ip", "ip exact");
  private static final long MAX_WAIT_MILLIS = 10_000;

  /** Explains a request; waits for the keys of tokens if they come from a URL. */
  static RequestExplanation of(
      RuleSet rules, @Nullable SyntheticRequest request, Map<String, String> entries) {
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
    return new RequestExplanation(
        rules, request, all, meters, book.explain(all, PERMIT), book.match(all, PERMIT));
  }

  /** Waits for the keys, which a server would fetch in the background, for this one request. */
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
