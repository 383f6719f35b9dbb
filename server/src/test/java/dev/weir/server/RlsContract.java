package dev.weir.server;

import static dev.weir.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.limited;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.remaining;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.Store;
import dev.weir.domain.DomainBook;
import dev.weir.domain.TestDomains;
import dev.weir.domain.Unit;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;

/** What clients of the rate limit service may rely on, wherever counters are kept. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RlsContract {
  static final String NO_RULES = "rules: []\n";
  private static final Code OK = Code.OK;
  private static final Code OVER = Code.OVER_LIMIT;
  private static final Duration YEAR = Unit.YEAR.duration();

  private static final DomainBook DOMAINS =
      TestDomains.book(
          "shop",
          at("user").per(3, Unit.YEAR).named("per-user"),
          at("one").per(1, Unit.YEAR),
          at("two").per(2, Unit.YEAR),
          at("a").per(1, Unit.YEAR),
          at("a_b").per(1, Unit.YEAR),
          at("deep", "path").per(1, Unit.HOUR),
          at("most").per(0xFFFF_FFFFL, Unit.YEAR),
          at("closed").closed(Unit.DAY, false),
          at("closed-strict").closed(Unit.DAY, true),
          at("free").unlimited(),
          at("dark").per(1, Unit.YEAR).shadow(),
          at("dark-strict").strict(Limit.fixedWindow(1, YEAR)).shadow(),
          at("quota").per(1, Unit.YEAR).quota(),
          at("quota-strict").strict(Limit.fixedWindow(1, YEAR)).quota(),
          at("usual").per(1, Unit.YEAR).named("usual"),
          at("vip").per(5, Unit.YEAR).named("vip").replacing("usual", "nobody"),
          at("free-vip").unlimited().replacing("usual"),
          at("shared").per(1, Unit.YEAR).shared(),
          at("strict").strict(Limit.fixedWindow(2, YEAR)),
          at("scarce").strict(Limit.fixedWindow(1, YEAR)),
          at("bucket").strict(Limit.tokenBucket(2, Duration.ofHours(1))),
          at("both").each(Limit.fixedWindow(1, YEAR), Limit.fixedWindow(9, Duration.ofDays(1))));

  private Served served;
  private RlsClient client;
  private String me = "";

  @SuppressWarnings("NullAway.Init")
  RlsContract() {}

  abstract Store open();

  abstract void shut();

  @BeforeAll
  void start() {
    served = Served.with(NO_RULES, ServerSettings.DEFAULT, open(), DOMAINS);
    client = new RlsClient(served.server.grpcPort());
  }

  @AfterAll
  void stop() {
    client.close();
    served.close();
    shut();
  }

  @org.junit.jupiter.api.BeforeEach
  void name(TestInfo test) {
    me = test.getDisplayName();
  }

  @Test
  void aLimitIsToldWithWhatIsLeftOfItAndUntilWhen() {
    RateLimitResponse reply = client.ask(about("user", me));
    assertThat(codes(reply)).containsExactly(OK, OK);
    DescriptorStatus status = reply.getStatuses(0);
    assertThat(status.getCurrentLimit())
        .isEqualTo(
            RateLimit.newBuilder()
                .setRequestsPerUnit(3)
                .setUnit(RateLimit.Unit.YEAR)
                .setName("per-user")
                .build());
    assertThat(status.getLimitRemaining()).isEqualTo(2);
    long year = YEAR.toSeconds();
    long left = year - System.currentTimeMillis() / 1_000 % year;
    assertThat(status.getDurationUntilReset().getSeconds()).isBetween(left - 2, left + 5);
    assertThat(status.getDurationUntilReset().getNanos()).isZero();
  }

  @Test
  void whatIsAboveTheLimitIsDenied() {
    assertThat(codes(client.ask(about("one", me)))).containsExactly(OK, OK);
    RateLimitResponse denied = client.ask(about("one", me));
    assertThat(codes(denied)).containsExactly(OVER, OVER);
    assertThat(remaining(denied)).containsExactly(0);
    assertThat(denied.getStatuses(0).getCurrentLimit().getRequestsPerUnit()).isEqualTo(1);
    assertThat(codes(client.ask(about("one", me + "x")))).containsExactly(OK, OK);
  }

  @Test
  void anUnknownDomainPassesWithoutALimit() {
    RateLimitResponse reply = client.ask(request(about("one", me)).setDomain("nowhere"));
    assertThat(codes(reply)).containsExactly(OK, OK);
    assertThat(reply.getStatuses(0).hasCurrentLimit()).isFalse();
    assertThat(reply.getStatuses(0).hasDurationUntilReset()).isFalse();
  }

  @Test
  void aDescriptorThatNothingIsSaidAboutPassesWithoutALimit() {
    RateLimitResponse reply =
        client.ask(about("nothing", me), about("one", me, "more", me), about());
    assertThat(codes(reply)).containsExactly(OK, OK, OK, OK);
    assertThat(reply.getStatusesList()).noneMatch(DescriptorStatus::hasCurrentLimit);
    assertThat(remaining(reply)).containsExactly(0, 0, 0);
  }

  @Test
  void statusesAreOneForEachDescriptorInTheirOrder() {
    client.ask(about("one", me));
    RateLimitResponse reply =
        client.ask(
            about("user", me),
            about("nothing", me),
            about("one", me),
            about("free", me),
            about("two", me));
    assertThat(codes(reply)).containsExactly(OVER, OK, OK, OVER, OK, OK);
    assertThat(remaining(reply)).containsExactly(2, 0, 0, -1, 1);
  }

  @Test
  void allEntriesOfADescriptorCount() {
    assertThat(codes(client.ask(about("deep", me, "path", "x")))).containsExactly(OK, OK);
    assertThat(codes(client.ask(about("deep", me, "path", "y")))).containsExactly(OK, OK);
    assertThat(codes(client.ask(about("deep", me, "path", "x")))).containsExactly(OVER, OVER);
    assertThat(codes(client.ask(about("deep", me + "2", "path", "x")))).containsExactly(OK, OK);
  }

  @Test
  void keysAndValuesAreKeptApart() {
    assertThat(codes(client.ask(about("a", "b_" + me)))).containsExactly(OK, OK);
    assertThat(codes(client.ask(about("a_b", me)))).containsExactly(OK, OK);
    assertThat(codes(client.ask(about("deep", me + "1", "path", "")))).containsExactly(OK, OK);
    assertThat(codes(client.ask(about("deep", me, "path", "1")))).containsExactly(OK, OK);
  }

  @Test
  void aPatternSharesOneCounterAmongItsValues() {
    assertThat(codes(client.ask(about("shared", me)))).containsExactly(OK, OK);
    assertThat(codes(client.ask(about("shared", me + "x")))).containsExactly(OVER, OVER);
  }

  @Test
  void unitsNeverShareACounter() {
    for (int unit = 1; unit <= 7; unit++) {
      assertThat(codes(client.ask(limited(1, unit, "one", me)))).containsExactly(OK, OK);
    }
    RateLimitResponse both =
        client.ask(limited(1, 4, "one", me + "x"), limited(1, 5, "one", me + "x"));
    assertThat(codes(both)).containsExactly(OK, OK, OK);
    // A year is what the configured limit is per.
    assertThat(codes(client.ask(about("one", me)))).containsExactly(OVER, OVER);
  }

  @Test
  void aDescriptorThatComesTwiceIsCountedTwice() {
    RateLimitResponse reply = client.ask(about("one", me), about("one", me));
    assertThat(codes(reply)).containsExactly(OVER, OK, OVER);
  }

  @Test
  void everyDescriptorIsChargedWhateverBecomesOfTheOthers() {
    client.ask(about("one", me));
    assertThat(remaining(client.ask(about("one", me), about("user", me)))).containsExactly(0, 2);
    assertThat(remaining(client.ask(about("user", me)))).containsExactly(1);
  }

  @Test
  void severalLimitsOfOneDescriptorAllHold() {
    assertThat(codes(client.ask(about("both", me)))).containsExactly(OK, OK);
    RateLimitResponse denied = client.ask(about("both", me));
    assertThat(codes(denied)).containsExactly(OVER, OVER);
    assertThat(denied.getStatuses(0).getCurrentLimit().getUnit()).isEqualTo(RateLimit.Unit.YEAR);
  }

  @Test
  void strictLimitsAreChargedAllOrNone() {
    client.ask(about("scarce", me));
    RateLimitResponse denied = client.ask(about("strict", me), about("scarce", me));
    assertThat(codes(denied)).containsExactly(OVER, OK, OVER);
    assertThat(remaining(client.ask(about("strict", me)))).containsExactly(1);
  }

  @Test
  void whatIsNotStrictIsChargedEvenIfWhatIsStrictDenies() {
    client.ask(about("scarce", me));
    client.ask(about("scarce", me), about("user", me));
    assertThat(remaining(client.ask(about("user", me)))).containsExactly(1);
  }

  @Test
  void aDeniedRequestTakesNothingFromAStrictLimit() {
    assertThat(codes(client.ask(costing(3, "strict", me)))).containsExactly(OVER, OVER);
    assertThat(codes(client.ask(costing(2, "strict", me)))).containsExactly(OK, OK);
  }

  @Test
  void anyAlgorithmWillDo() {
    assertThat(remaining(client.ask(about("bucket", me)))).containsExactly(1);
    client.ask(about("bucket", me));
    DescriptorStatus denied = client.ask(about("bucket", me)).getStatuses(0);
    assertThat(denied.getCode()).isEqualTo(OVER);
    assertThat(denied.getDurationUntilReset().getSeconds()).isBetween(1_795L, 1_800L);
  }

  @Test
  void nothingPassesWhereNothingIsAllowed() {
    for (String key : List.of("closed", "closed-strict")) {
      RateLimitResponse reply = client.ask(about(key, me));
      assertThat(codes(reply)).containsExactly(OVER, OVER);
      assertThat(reply.getStatuses(0).getCurrentLimit().getUnit()).isEqualTo(RateLimit.Unit.DAY);
      assertThat(reply.getStatuses(0).getDurationUntilReset().getSeconds()).isBetween(1L, 86_400L);
    }
    client.ask(about("strict", me), about("closed-strict", me));
    assertThat(remaining(client.ask(about("strict", me)))).containsExactly(1);
  }

  @Test
  void theAddendOfARequestIsThatOfAllDescriptorsThatDoNotSay() {
    RateLimitRequest.Builder request = request(about("user", me), costing(1, "two", me));
    assertThat(remaining(client.ask(request.setHitsAddend(3)))).containsExactly(0, 1);
    assertThat(codes(client.ask(about("user", me)))).containsExactly(OVER, OVER);
  }

  @Test
  void noAddendIsOne() {
    assertThat(remaining(client.ask(request(about("user", me)).setHitsAddend(0))))
        .containsExactly(2);
  }

  @Test
  void anAddendOfNothingIsALook() {
    assertThat(remaining(client.ask(costing(0, "user", me)))).containsExactly(3);
    assertThat(
            client.ask(costing(0, "user", me)).getStatuses(0).getDurationUntilReset().getSeconds())
        .isPositive();
    client.ask(costing(3, "user", me));
    RateLimitResponse full = client.ask(costing(0, "user", me));
    assertThat(codes(full)).containsExactly(OK, OK);
    assertThat(remaining(full)).containsExactly(0);
    client.ask(about("user", me));
    assertThat(codes(client.ask(costing(0, "user", me)))).containsExactly(OVER, OVER);
  }

  @Test
  void aLookAtAStrictLimitTakesNothing() {
    assertThat(remaining(client.ask(costing(0, "strict", me)))).containsExactly(2);
    client.ask(costing(2, "strict", me));
    RateLimitResponse full = client.ask(costing(0, "strict", me), about("user", me));
    assertThat(codes(full)).containsExactly(OK, OK, OK);
    assertThat(remaining(full)).containsExactly(0, 2);
  }

  @Test
  void aCallThatCrossesTheLimitIsDeniedAndStaysCharged() {
    assertThat(codes(client.ask(costing(4, "user", me)))).containsExactly(OVER, OVER);
    assertThat(codes(client.ask(about("user", me)))).containsExactly(OVER, OVER);
  }

  @Test
  void theLargestNumbersAreCountedWith() {
    RateLimitRequest.Builder all = request(about("most", me)).setHitsAddend(0xFFFF_FFFF);
    RateLimitResponse full = client.ask(all);
    assertThat(codes(full)).containsExactly(OK, OK);
    assertThat(remaining(full)).containsExactly(0);
    assertThat(full.getStatuses(0).getCurrentLimit().getRequestsPerUnit()).isEqualTo(0xFFFF_FFFF);
    assertThat(codes(client.ask(about("most", me)))).containsExactly(OVER, OVER);
    assertThat(codes(client.ask(limited(0xFFFF_FFFF, 1, "one", me)))).containsExactly(OK, OK);
  }

  @Test
  void moreThanCanBeCountedIsTooMuchAndOthersAreChargedAllTheSame() {
    for (long huge : new long[] {-1, Long.MAX_VALUE, 1L << 51}) {
      RateLimitResponse reply = client.ask(costing(huge, "one", me), about("user", me));
      assertThat(codes(reply)).containsExactly(OVER, OVER, OK);
    }
    assertThat(remaining(client.ask(costing(0, "user", me)))).containsExactly(0);
  }

  @Test
  void aRefundGivesBackAndNeverMoreThanWasTaken() {
    client.ask(costing(3, "user", me));
    RateLimitResponse refund = client.ask(refunding(1, "user", me));
    assertThat(codes(refund)).containsExactly(OK, OK);
    assertThat(remaining(refund)).containsExactly(1);
    assertThat(remaining(client.ask(refunding(9, "user", me)))).containsExactly(3);
    assertThat(remaining(client.ask(about("user", me)))).containsExactly(2);
  }

  @Test
  void aRefundIsOkAlsoWhereTooMuchIsCounted() {
    client.ask(costing(9, "user", me));
    RateLimitResponse refund = client.ask(refunding(2, "user", me));
    assertThat(codes(refund)).containsExactly(OK, OK);
    assertThat(remaining(refund)).containsExactly(0);
    assertThat(codes(client.ask(costing(0, "user", me)))).containsExactly(OVER, OVER);
  }

  @Test
  void aRefundGoesToStrictLimitsToo() {
    client.ask(costing(2, "strict", me));
    assertThat(codes(client.ask(refunding(1, "strict", me)))).containsExactly(OK, OK);
    assertThat(codes(client.ask(about("strict", me)))).containsExactly(OK, OK);
    assertThat(codes(client.ask(about("strict", me)))).containsExactly(OVER, OVER);
  }

  @Test
  void aLimitThatTheClientBringsIsUsedInsteadOfTheConfiguredOne() {
    for (int i = 0; i < 2; i++) {
      assertThat(codes(client.ask(limited(2, 6, "one", me)))).containsExactly(OK, OK);
    }
    DescriptorStatus denied = client.ask(limited(2, 6, "one", me)).getStatuses(0);
    assertThat(denied.getCode()).isEqualTo(OVER);
    assertThat(denied.getCurrentLimit().getRequestsPerUnit()).isEqualTo(2);
    assertThat(codes(client.ask(limited(0, 1, "free", me)))).containsExactly(OVER, OVER);
    assertThat(codes(client.ask(limited(1, 2, "nothing", me)))).containsExactly(OK, OK);
    assertThat(codes(client.ask(limited(0, 2)))).containsExactly(OK, OK);
  }

  @Test
  void aLimitThatTheClientBringsToAnUnknownDomainIsNotUsed() {
    RateLimitResponse reply = client.ask(request(limited(0, 1, "one", me)).setDomain("nowhere"));
    assertThat(codes(reply)).containsExactly(OK, OK);
    assertThat(reply.getStatuses(0).hasCurrentLimit()).isFalse();
  }

  @Test
  void weeksAreUnderstood() {
    RateLimitResponse reply = client.ask(limited(5, 7, "one", me));
    assertThat(reply.getStatuses(0).getCurrentLimit().getUnitValue()).isEqualTo(7);
    assertThat(reply.getStatuses(0).getDurationUntilReset().getSeconds()).isBetween(1L, 604_800L);
  }

  @Test
  void aRuleInShadowCountsAndDeniesNobody() {
    for (String key : List.of("dark", "dark-strict")) {
      client.ask(about(key, me));
      RateLimitResponse reply = client.ask(about(key, me), about("user", me + key));
      assertThat(codes(reply)).containsExactly(OK, OK, OK);
      assertThat(remaining(reply)).containsExactly(0, 2);
    }
  }

  @Test
  void quotasDenyOnlyTogether() {
    for (String key : List.of("quota", "quota-strict")) {
      String other = key.equals("quota") ? "quota-strict" : "quota";
      client.ask(about(key, me + key));
      assertThat(codes(client.ask(about(key, me + key), about(other, me + key))))
          .containsExactly(OK, OVER, OK);
      assertThat(codes(client.ask(about(key, me + key), about(other, me + key))))
          .containsExactly(OVER, OVER, OVER);
      assertThat(codes(client.ask(about(key, me + key), about("nothing", me))))
          .containsExactly(OVER, OVER, OK);
    }
  }

  @Test
  void aQuotaWithRoomDoesNotHelpAgainstALimit() {
    client.ask(about("one", me));
    assertThat(codes(client.ask(about("one", me), about("quota", me))))
        .containsExactly(OVER, OVER, OK);
  }

  @Test
  void aRuleThatReplacesAnotherIsTheOnlyOneCharged() {
    for (String key : List.of("vip", "free-vip")) {
      RateLimitResponse reply = client.ask(about("usual", me), about(key, me));
      assertThat(codes(reply)).containsExactly(OK, OK, OK);
      assertThat(reply.getStatuses(0).hasCurrentLimit()).isFalse();
      assertThat(reply.getStatuses(0).getLimitRemaining()).isZero();
    }
    assertThat(codes(client.ask(about("usual", me)))).containsExactly(OK, OK);
    assertThat(codes(client.ask(about("usual", me)))).containsExactly(OVER, OVER);
  }

  @Test
  void whatIsUnlimitedHasAllThatCanBeTold() {
    RateLimitResponse reply = client.ask(costing(0xFFFF_FFFFL, "free", me));
    assertThat(codes(reply)).containsExactly(OK, OK);
    assertThat(reply.getStatuses(0).getLimitRemaining()).isEqualTo(0xFFFF_FFFF);
    assertThat(reply.getStatuses(0).hasCurrentLimit()).isFalse();
  }

  @Test
  void aThousandDescriptorsAreAnswered() {
    RateLimitRequest.Builder request = request();
    for (int i = 0; i < 1_000; i++) {
      request.addDescriptors(i % 2 == 0 ? about("both", me + i) : about("user", me + i));
    }
    RateLimitResponse reply = client.ask(request);
    assertThat(codes(reply)).hasSize(1_001).containsOnly(OK);
    assertThat(client.ask(request).getOverallCode()).isEqualTo(OVER);
  }

  @Test
  void aHundredAtOnceAreCountedExactly() {
    long passed =
        java.util.stream.IntStream.range(0, 100)
            .parallel()
            .mapToObj(i -> client.ask(about("user", me)))
            .filter(reply -> reply.getOverallCode() == OK)
            .count();
    assertThat(passed).isEqualTo(3);
  }
}
