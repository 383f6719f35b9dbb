package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.costing;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is also counted in this process, in case the store fails, is charged once all the same. */
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
  void aLimitThatIsChargedWhateverComesLetsAsManyPass() {
    passesAsMany(rls, "tallied");
  }

  @Test
  void aLimitThatIsChargedAllOrNoneLetsAsManyPass() {
    passesAsMany(rls, "strict");
  }

  @Test
  void aRuleOfOursLetsAsManyPass() {
    try (Served served = serve(RULES);
        Rls client = client(served)) {
      passesAsMany(client, "own");
    }
  }

  private void passesAsMany(Rls asked, String key) {
    String who = me + System.nanoTime();
    for (int i = 1; i <= LIMIT; i++) {
      assertThat(codes(asked.ask(about(key, who)))).as("request %d", i).containsExactly(OK, OK);
    }
    assertThat(codes(asked.ask(about(key, who)))).containsExactly(OVER, OVER);
    assertThat(asked.ask(costing(LIMIT, key, who + "!")).getStatuses(0).getLimitRemaining())
        .isZero();
  }
}
