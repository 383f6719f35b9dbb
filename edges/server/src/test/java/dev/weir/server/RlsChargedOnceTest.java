package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.costing;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A limit that is mirrored in this process, in case the store fails, is charged only once. */
class RlsChargedOnceTest extends RlsContract {
  private static final int LIMIT = 10;
  private static final String DOMAIN =
      """
      domain: shop
      descriptors:
        - key: tallied
          rate_limit: {unit: day, requests_per_unit: 10, when_store_fails: local}
        - key: strict
          rate_limit:
            {unit: day, requests_per_unit: 10, algorithm: token_bucket, when_store_fails: local}
      """;
  private static final String RULES =
      """
      rules:
        - {name: own, match: {entry: {own: "*"}}, per: entry own, limit: 10/day,
           when-store-fails: local}
      """;

  RlsChargedOnceTest() {
    super(DOMAIN);
  }

  @Test
  void tallyIsChargedOnce() {
    assertChargedOnce(rls, "tallied");
  }

  @Test
  void allOrNoneLimitIsChargedOnce() {
    assertChargedOnce(rls, "strict");
  }

  @Test
  void ownRuleIsChargedOnce() {
    try (TestServer served = serve(RULES);
        RlsCaller client = client(served)) {
      assertChargedOnce(client, "own");
    }
  }

  private void assertChargedOnce(RlsCaller client, String key) {
    String caller = me + System.nanoTime();
    for (int i = 1; i <= LIMIT; i++) {
      assertThat(codes(client.ask(about(key, caller)))).as("request %d", i).containsExactly(OK, OK);
    }
    assertThat(codes(client.ask(about(key, caller)))).containsExactly(OVER, OVER);
    assertThat(client.ask(costing(LIMIT, key, caller + "!")).getStatuses(0).getLimitRemaining())
        .isZero();
  }
}
