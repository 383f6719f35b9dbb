package dev.weir.library.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.http.response.RateLimitHeaders.Family;
import dev.weir.key.KeySpace;
import dev.weir.library.web.ResponseStyle.Body;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Allowance;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One decision: its status, headers and body, and the end of what it holds. */
@Timeout(120)
class AdmissionTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long NOW_SECONDS = Duration.ofDays(20_000).toSeconds();

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ResponseStyle style = ResponseStyle.DEFAULT.clock(ticker);
  private final RecordingStore store = new RecordingStore(new MemoryStore(10_000, ticker));
  private final Limiter limiter = new Limiter(store, (rule, outcome, subject) -> {});
  private final HeldPermits permits = new HeldPermits(limiter, new ManualScheduler(ticker));

  private final RuleBook two = book(Rule.named("two").limit(Limit.fixedWindow(2, HOUR)).build());
  private final RuleBook busy =
      book(
          Rule.named("busy")
              .limit(Limit.concurrent(1, HOUR), Limit.fixedWindow(100, HOUR))
              .build());

  private static RuleBook book(Rule... rules) {
    return RuleBook.of(List.of(rules), KeySpace.random());
  }

  private static Match match(RuleBook book) {
    return book.match(Descriptor.of(book.names()), HeldPermits.newHolder());
  }

  private Admission admit(RuleBook book) {
    Match match = match(book);
    return Admission.of(match, limiter.take(match).join(), permits);
  }

  private static Map<String, String> headers(Admission admission, ResponseStyle style) {
    Map<String, String> headers = new LinkedHashMap<>();
    admission.writeHeaders(
        style, (name, value) -> assertThat(headers.put(name, value)).as(name).isNull());
    return headers;
  }

  private static Admission unanswered(Effect effect) {
    Rule allows = rule("allows", FailureMode.ALLOW);
    Rule denies = rule("denies", FailureMode.DENY);
    return Admission.unavailable(
        match(book(allows, denies)), new StoreFailure(effect, "redis at 192.0.2.7", null));
  }

  private static Rule rule(String name, FailureMode mode) {
    return Rule.named(name).limit(Limit.fixedWindow(2, HOUR)).failureMode(mode).build();
  }

  @Test
  void allowedRequestHasHeadersOfEveryFamily() {
    Admission admission = admit(two);
    assertThat(admission.allowed()).isTrue();
    assertThat(admission.limited()).isTrue();
    assertThat(admission.rule().orElseThrow().name()).isEqualTo("two");
    assertThat(admission.retryAfter()).isEmpty();
    assertThat(admission.degraded()).isEmpty();
    assertThat(headers(admission, style))
        .containsExactly(
            Map.entry("X-RateLimit-Limit", "2"),
            Map.entry("X-RateLimit-Remaining", "1"),
            Map.entry("X-RateLimit-Reset", Long.toString(NOW_SECONDS + 3_600)),
            Map.entry("RateLimit-Policy", "\"two\";q=2;w=3600"),
            Map.entry("RateLimit", "\"two\";r=1;t=3600"));
    assertThat(headers(admission, style.headers(Set.of()))).isEmpty();
  }

  @Test
  void deniedRequestHasStatusHeadersAndBody() {
    admit(two);
    admit(two);
    Admission denied = admit(two);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.status(style)).isEqualTo(429);
    assertThat(denied.status(style.status(503))).isEqualTo(503);
    assertThat(denied.retryAfter()).contains(HOUR);
    assertThat(denied).hasToString("denied by two");
    assertThat(headers(denied, style))
        .containsExactly(
            Map.entry("X-RateLimit-Limit", "2"),
            Map.entry("X-RateLimit-Remaining", "0"),
            Map.entry("X-RateLimit-Reset", Long.toString(NOW_SECONDS + 3_600)),
            Map.entry("RateLimit-Policy", "\"two\";q=2;w=3600"),
            Map.entry("RateLimit", "\"two\";r=0;t=3600"),
            Map.entry("Retry-After", "3600"),
            Map.entry("Cache-Control", "no-store"));
    assertThat(denied.body(style))
        .startsWith("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\"")
        .contains("\"status\":429", "\"violated-policies\":[\"two\"]");
    assertThat(denied.body(style.status(503))).contains("\"status\":503");
    assertThat(denied.body(style.body(Body.PLAIN)))
        .isEqualTo("{\"error\":\"rate_limit_exceeded\",\"retry_after\":3600}");
    assertThat(denied.body(style.body(Body.NONE))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void onlyHeadersOfTheChosenFamilyAreWritten(Family family) {
    admit(two);
    admit(two);
    Set<String> expected =
        switch (family) {
          case X_RATELIMIT ->
              Set.of(
                  "X-RateLimit-Limit",
                  "X-RateLimit-Remaining",
                  "X-RateLimit-Reset",
                  "Cache-Control");
          case IETF -> Set.of("RateLimit-Policy", "RateLimit", "Cache-Control");
          case RETRY_AFTER -> Set.of("Retry-After", "Cache-Control");
        };
    assertThat(headers(admit(two), style.headers(Set.of(family))).keySet()).isEqualTo(expected);
  }

  @Test
  void responseToADenialKeepsTheOrderOfItsHeaders() {
    admit(two);
    admit(two);
    Admission denied = admit(two);
    DenialResponse response = DenialResponse.of(denied, style);
    assertThat(response.status()).isEqualTo(429);
    assertThat(response.mediaType()).isEqualTo("application/problem+json");
    assertThat(response.headers().keySet())
        .containsExactlyElementsOf(headers(denied, style).keySet());
    assertThat(response.bytes()).hasSize(response.body().length());
  }

  @ParameterizedTest
  @EnumSource(Effect.class)
  void requestThatTheStoreDidNotAnswerIsUnavailable(Effect effect) {
    Admission denied = unanswered(effect);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.decision()).isEmpty();
    assertThat(denied.rule().orElseThrow().name()).isEqualTo("denies");
    assertThat(denied.degraded()).contains(FailureMode.DENY);
    assertThat(denied.status(style)).isEqualTo(503);
    assertThat(denied.status(style.status(420))).isEqualTo(503);
    assertThat(denied.delay()).isZero();
    assertThat(headers(denied, style))
        .containsExactly(
            Map.entry("Retry-After", "1"),
            Map.entry("Weir-Degraded", "deny"),
            Map.entry("Cache-Control", "no-store"));
    String counted = effect == Effect.NONE ? "nothing was counted" : "is unknown";
    assertThat(denied.body(style)).contains("\"status\":503", counted).doesNotContain("192.0.2.7");
    assertThat(denied.body(style.body(Body.PLAIN)))
        .isEqualTo("{\"error\":\"rate_limit_unavailable\",\"retry_after\":1}");
    assertThat(denied.body(style.body(Body.NONE))).isEmpty();
    denied.giveBack();
    denied.close();
    assertThat(store.count(Operation.REFUND)).isZero();
  }

  @Test
  void blockedCallerIsForbiddenWhateverTheStyle() {
    RuleBook closed =
        book(Rule.named("closed").allow(Allowance.BLOCKED).blockedStatus(403).build());
    Admission denied = admit(closed);
    assertThat(denied.limited()).isTrue();
    assertThat(denied.status(style.status(420))).isEqualTo(403);
    assertThat(headers(denied, style)).containsExactly(Map.entry("Cache-Control", "no-store"));
    assertThat(denied.body(style)).contains("\"title\":\"Forbidden\"");
    assertThat(denied.body(style.body(Body.PLAIN))).isEqualTo("{\"error\":\"forbidden\"}");
    assertThat(store.count(Operation.TAKE)).isZero();
  }

  @Test
  void requestThatNoRuleAppliesToIsNotLimited() {
    Admission admission = Admission.of(Match.NONE, limiter.take(Match.NONE).join(), permits);
    assertThat(admission.allowed()).isTrue();
    assertThat(admission.limited()).isFalse();
    assertThat(admission.rule()).isEmpty();
    assertThat(headers(admission, style)).isEmpty();
    admission.giveBack();
    admission.close();
  }

  @Test
  void requestShapedByALeakyBucketIsDelayed() {
    RuleBook shaped =
        book(Rule.named("shaped").limit(Limit.leakyBucket(1, Duration.ofSeconds(1), 5)).build());
    assertThat(admit(shaped).delay()).isZero();
    assertThat(admit(shaped).delay()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void closingReleasesPermitsAndKeepsCharges() {
    Admission first = admit(busy);
    assertThat(admit(busy).allowed()).isFalse();
    first.close();
    first.close();
    Admission second = admit(busy);
    assertThat(second.allowed()).isTrue();
    assertThat(second.decision().orElseThrow().each().get(1).remaining()).isEqualTo(98);
    assertThat(store.count(Operation.REFUND)).isEqualTo(1);
  }

  @Test
  void givingBackReturnsEverything() {
    Admission first = admit(busy);
    first.giveBack();
    first.giveBack();
    first.close();
    assertThat(permits.size()).isZero();
    Admission second = admit(busy);
    assertThat(second.decision().orElseThrow().each().get(1).remaining()).isEqualTo(99);
    assertThat(store.count(Operation.REFUND)).isEqualTo(1);
  }

  /** Also without permits: a request that has run is charged. */
  @Test
  void whatWasClosedIsNotGivenBack() {
    Admission first = admit(two);
    first.close();
    first.giveBack();
    assertThat(store.count(Operation.REFUND)).isZero();
    assertThat(admit(two).decision().orElseThrow().remaining()).isZero();
  }

  @Test
  void deniedRequestHoldsAndReturnsNothing() {
    Admission first = admit(busy);
    Admission denied = admit(busy);
    denied.giveBack();
    denied.close();
    assertThat(store.count(Operation.REFUND)).isZero();
    assertThat(admit(busy).allowed()).isFalse();
    first.close();
  }

  @Test
  void ofManyEndsAtOnceExactlyOneCounts() throws Exception {
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (int round = 0; round < 500; round++) {
        Admission admission = admit(busy);
        assertThat(admission.allowed()).as("round " + round).isTrue();
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          Runnable end = i % 2 == 0 ? admission::close : admission::giveBack;
          ends.add(
              pool.submit(
                  () -> {
                    start.await();
                    end.run();
                    return null;
                  }));
        }
        for (Future<?> end : ends) {
          end.get();
        }
        assertThat(store.count(Operation.REFUND)).isEqualTo(round + 1);
        ticker.advance(HOUR);
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
