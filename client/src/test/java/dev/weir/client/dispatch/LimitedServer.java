package dev.weir.client.dispatch;

import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.client.ManualTimers;
import dev.weir.http.response.RateLimitHeaders;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Weir's own limiter with its own headers, on the time of a test. Records when requests come. */
final class LimitedServer {
  private final ManualTimers timers;
  private final RuleBook rules;
  private final MemoryStore store;
  private final RateLimitHeaders headers = RateLimitHeaders.all();
  private final List<Long> arrivals = new ArrayList<>();
  private final Map<String, Integer> admitted = new HashMap<>();
  private boolean recording;

  /** A response: its status and headers. */
  record Response(int status, Map<String, String> headers) {
    List<String> header(String name) {
      String value = headers.get(name);
      return value == null ? List.of() : List.of(value);
    }
  }

  private LimitedServer(ManualTimers timers, Rule rule) {
    this.timers = timers;
    this.rules = RuleBook.of(List.of(rule), KeySpace.random());
    this.store = new MemoryStore(10_000, this::micros);
  }

  /** One limit that all clients share. */
  static LimitedServer shared(ManualTimers timers, Limit limit) {
    return new LimitedServer(timers, Rule.named("api").limit(limit).build());
  }

  /** A limit for each client. */
  static LimitedServer perClient(ManualTimers timers, Limit limit) {
    return new LimitedServer(
        timers, Rule.named("api").per(Identity.of("client")).limit(limit).build());
  }

  private long micros() {
    return ManualTimers.START.toEpochMilli() * 1_000 + timers.nanos() / 1_000;
  }

  Response handle(String client) {
    Match match = rules.match(Descriptor.of(Map.of("client", client)));
    Decision decision = store.take(match.claims()).join();
    Map<String, String> written = new HashMap<>();
    headers.write(
        match, decision, micros(), 0, (field, value) -> written.put(field.header(), value));
    if (recording) {
      arrivals.add(timers.nanos());
      if (decision.allowed()) {
        admitted.merge(client, 1, Integer::sum);
      }
    }
    return new Response(decision.allowed() ? 200 : 429, written);
  }

  /** From now on, requests count. */
  void record() {
    recording = true;
  }

  /** The times of the requests. */
  List<Long> arrivals() {
    return arrivals;
  }

  /** The number of admitted requests of each client. */
  Map<String, Integer> admitted() {
    return admitted;
  }
}
