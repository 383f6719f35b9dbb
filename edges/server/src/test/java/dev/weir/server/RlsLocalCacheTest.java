package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.limited;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.remaining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.ServerSettings;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counters over their limit are cached in the server, and cost the store no calls. */
class RlsLocalCacheTest {
  private static final int DAY = 4;
  private static final DomainBook DOMAINS =
      TestDomains.book(
          "shop",
          at("one").per(1, Unit.DAY),
          at("dark").per(1, Unit.DAY).shadow(),
          at("path").per(100, Unit.DAY));

  private final MemoryStore store = new MemoryStore();
  private final TestServer served =
      TestServer.with(
          "rules: []",
          ServerSettings.DEFAULT.withRls(new RlsSettings(false, false, null, false, 0.8, 1 << 20)),
          store,
          DOMAINS);
  private final RlsClient client = new RlsClient(served.server.grpcPort());

  @AfterEach
  void close() {
    client.close();
    served.close();
  }

  @Test
  void exceededCounterIsNotChargedAgain() {
    client.ask(about("one", "a"));
    for (int i = 0; i < 5; i++) {
      RateLimitResponse over = client.ask(about("one", "a"), about("path", "/" + i));
      assertThat(codes(over)).containsExactly(Code.OVER_LIMIT, Code.OVER_LIMIT, Code.OK);
      assertThat(over.getStatuses(0).getDurationUntilReset().getSeconds()).isBetween(1L, 86_400L);
      assertThat(remaining(over)).containsExactly(0, 99);
    }
    // Two were charged: the first, and the one that exceeded the limit.
    assertThat(remaining(client.ask(limited(10, DAY, "one", "a")))).containsExactly(7);
  }

  @Test
  void metricsCountCachedDenials() throws Exception {
    for (int i = 0; i < 5; i++) {
      client.ask(about("one", "a"));
    }
    assertThat(served.admin("GET", "/stats", "").body())
        .contains("shop.one.total_hits: 5\n", "shop.one.over_limit: 4\n")
        .contains("shop.one.over_limit_with_local_cache: 3\n", "shop.one.within_limit: 1\n");
  }

  @Test
  void largerLimitOnTheSameCounterIsNotCached() {
    client.ask(about("one", "a"));
    client.ask(about("one", "a"));
    assertThat(codes(client.ask(limited(10, DAY, "one", "a")))).containsExactly(Code.OK, Code.OK);
  }

  @Test
  void refundInvalidatesTheCache() {
    client.ask(about("one", "a"));
    assertThat(codes(client.ask(about("one", "a")))).contains(Code.OVER_LIMIT);
    client.ask(refunding(2, "one", "a"));
    assertThat(codes(client.ask(about("one", "a")))).containsExactly(Code.OK, Code.OK);
  }

  @Test
  void exceededShadowLimitPasses() {
    for (int i = 0; i < 4; i++) {
      assertThat(codes(client.ask(about("dark", "a")))).containsExactly(Code.OK, Code.OK);
    }
    assertThat(remaining(client.ask(limited(10, DAY, "dark", "a")))).containsExactly(7);
  }

  @Test
  void peekIsNotCached() {
    client.ask(costing(2, "one", "b"));
    assertThat(codes(client.ask(costing(0, "one", "b")))).contains(Code.OVER_LIMIT);
    assertThat(codes(client.ask(costing(0, "one", "c")))).containsExactly(Code.OK, Code.OK);
  }
}
