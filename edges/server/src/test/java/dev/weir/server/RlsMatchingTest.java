package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.remaining;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import org.junit.jupiter.api.Test;

/** Which limit applies to a descriptor; each limit is identified by its number. */
class RlsMatchingTest extends RlsContract {
  private static final String YAML =
      """
      domain: shop
      descriptors:
        - {key: path, rate_limit: {unit: year, requests_per_unit: 90}}
        - {key: path, value: /a*, rate_limit: {unit: year, requests_per_unit: 91}}
        - {key: path, value: /a/b*, rate_limit: {unit: year, requests_per_unit: 92}}
        - {key: path, value: /a/b, rate_limit: {unit: year, requests_per_unit: 93}}
        - {key: path, value: "*.css", rate_limit: {unit: year, requests_per_unit: 94}}
        - {key: path, value: "/x/*/y/*/z", rate_limit: {unit: year, requests_per_unit: 95}}
        - {key: one, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: each, value: v*, rate_limit: {unit: year, requests_per_unit: 1}}
        - key: up
          rate_limit: {unit: year, requests_per_unit: 80}
          descriptors:
            - {key: down, rate_limit: {unit: year, requests_per_unit: 81}}
            - {key: down, value: exact, rate_limit: {unit: year, requests_per_unit: 82}}
        - key: via
          value: exact
          descriptors: [{key: left, rate_limit: {unit: year, requests_per_unit: 70}}]
        - key: via
          value: ex*
          descriptors: [{key: right, rate_limit: {unit: year, requests_per_unit: 71}}]
        - key: via
          descriptors: [{key: right, rate_limit: {unit: year, requests_per_unit: 72}}]
        - {key: open, value: friend}
        - {key: open, rate_limit: {unit: year, requests_per_unit: 60}}
        - {key: closed, rate_limit: {unit: day, requests_per_unit: 0}}
        - {key: a, value: b_c, rate_limit: {unit: year, requests_per_unit: 50}}
        - {key: a_b, value: c, rate_limit: {unit: year, requests_per_unit: 51}}
        - {key: a, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: a_b, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: any-*, rate_limit: {unit: year, requests_per_unit: 40}}
        - {key: files, value: /f/*, share_threshold: true,
           rate_limit: {unit: year, requests_per_unit: 2}}
        - {key: files, value: /f/own, rate_limit: {unit: year, requests_per_unit: 1}}
        - key: tree
          value: /t/*
          share_threshold: true
          descriptors: [{key: method, rate_limit: {unit: year, requests_per_unit: 1}}]
        - {key: zahl, value: größe, rate_limit: {unit: year, requests_per_unit: 30}}
        - {key: number, value: 42, rate_limit: {unit: YEAR, requests_per_unit: 31}}
        - {key: flag, value: true, rate_limit: {unit: Year, requests_per_unit: 32}}
      """;

  RlsMatchingTest() {
    super(YAML);
  }

  @Test
  void exactValueWinsOverPatterns() {
    assertThat(limit("path", "/a/b")).isEqualTo(93);
  }

  @Test
  void patternWinsOverKeyAlone() {
    assertThat(limit("path", "/ax")).isEqualTo(91);
    assertThat(limit("path", "/other")).isEqualTo(90);
  }

  @Test
  void firstMatchingPatternWinsNotTheLongest() {
    assertThat(limit("path", "/a/b/c")).isEqualTo(91);
    assertThat(limit("path", "/a.css")).isEqualTo(91);
  }

  @Test
  void starMatchesEmptyText() {
    assertThat(limit("path", "/a")).isEqualTo(91);
    assertThat(limit("path", ".css")).isEqualTo(94);
  }

  @Test
  void patternMatchesTheWholeValue() {
    assertThat(limit("path", "/b.css")).isEqualTo(94);
    assertThat(limit("path", "/b.css?")).isEqualTo(90);
    assertThat(limit("path", " /a")).isEqualTo(90);
  }

  @Test
  void patternMayHaveSeveralStars() {
    assertThat(limit("path", "/x/1/y/2/z")).isEqualTo(95);
    assertThat(limit("path", "/x//y//z")).isEqualTo(95);
    assertThat(limit("path", "/x/y/z")).isEqualTo(90);
  }

  @Test
  void keyAloneCountsEachValueSeparately() {
    assertThat(codes(about("one", me))).containsExactly(OK, OK);
    assertThat(codes(about("one", me))).containsExactly(OVER, OVER);
    assertThat(codes(about("one", me + "x"))).containsExactly(OK, OK);
  }

  @Test
  void patternCountsEachValueSeparately() {
    assertThat(codes(about("each", "v" + me))).containsExactly(OK, OK);
    assertThat(codes(about("each", "v" + me))).containsExactly(OVER, OVER);
    assertThat(codes(about("each", "v" + me + "x"))).containsExactly(OK, OK);
  }

  @Test
  void limitAppliesOnlyWhereDescriptorEnds() {
    assertThat(limit("up", me)).isEqualTo(80);
    assertThat(limit("up", me, "down", me)).isEqualTo(81);
    assertThat(limit("up", me, "down", "exact")).isEqualTo(82);
    assertThat(limit("up", me, "other", me)).isZero();
    assertThat(limit("up", me, "down", me, "more", me)).isZero();
    assertThat(limit("via", "exact")).isZero();
  }

  @Test
  void parentIsNotChargedForItsChild() {
    assertThat(left(about("up", me, "down", me))).containsExactly(80);
    assertThat(left(about("up", me))).containsExactly(79);
  }

  @Test
  void matchingDoesNotBacktrack() {
    assertThat(limit("via", "exact", "left", "x")).isEqualTo(70);
    assertThat(limit("via", "exact", "right", "x")).isZero();
    assertThat(limit("via", "extra", "right", "x")).isEqualTo(71);
    assertThat(limit("via", "extra", "left", "x")).isZero();
    assertThat(limit("via", "other", "right", "x")).isEqualTo(72);
  }

  @Test
  void orderOfEntriesMatters() {
    assertThat(limit("down", me, "up", me)).isZero();
  }

  @Test
  void allEntriesIdentifyTheCounter() {
    assertThat(left(about("up", me, "down", "x"))).containsExactly(80);
    assertThat(left(about("up", me, "down", "y"))).containsExactly(80);
    assertThat(left(about("up", me + "2", "down", "x"))).containsExactly(80);
    assertThat(left(about("up", me, "down", "x"))).containsExactly(79);
  }

  @Test
  void descriptorWithoutLimitPasses() {
    assertThat(limit("open", "friend")).isZero();
    assertThat(limit("open", "other")).isEqualTo(60);
  }

  @Test
  void limitOfZeroDeniesEverything() {
    RateLimitResponse reply = rls.ask(about("closed", me));
    assertThat(codes(reply)).containsExactly(OVER, OVER);
    DescriptorStatus status = reply.getStatuses(0);
    assertThat(status.getCurrentLimit().getUnit()).isEqualTo(RateLimitResponse.RateLimit.Unit.DAY);
    assertThat(status.getDurationUntilReset().getSeconds()).isBetween(1L, 86_400L);
  }

  @Test
  void unmatchedDescriptorPasses() {
    RateLimitResponse reply = rls.ask(about("nothing", me), about("PATH", "/a"), about());
    assertThat(codes(reply)).containsExactly(OK, OK, OK, OK);
    assertThat(reply.getStatusesList()).noneMatch(DescriptorStatus::hasCurrentLimit);
    assertThat(remaining(reply)).containsExactly(0, 0, 0);
  }

  @Test
  void unknownDomainPasses() {
    RateLimitResponse reply = rls.ask(request(about("closed", me)).setDomain("nowhere"));
    assertThat(codes(reply)).containsExactly(OK, OK);
    assertThat(reply.getStatuses(0).hasCurrentLimit()).isFalse();
    assertThat(reply.getStatuses(0).hasDurationUntilReset()).isFalse();
  }

  @Test
  void keyAndValueAreDelimited() {
    assertThat(limit("a", "b_c")).isEqualTo(50);
    assertThat(limit("a_b", "c")).isEqualTo(51);
    assertThat(codes(about("a", "b_" + me))).containsExactly(OK, OK);
    assertThat(codes(about("a_b", me))).containsExactly(OK, OK);
    assertThat(codes(about("a", "b_" + me))).containsExactly(OVER, OVER);
    assertThat(codes(about("a_b", me))).containsExactly(OVER, OVER);
  }

  @Test
  void starInKeyExtendsIntoTheValue() {
    assertThat(limit("any-", "thing")).isEqualTo(40);
    assertThat(limit("any-x", "thing")).isEqualTo(40);
    assertThat(limit("any", "thing")).isZero();
  }

  @Test
  void sharedPatternHasOneCounterForAllValues() {
    assertThat(left(about("files", "/f/1"))).containsExactly(1);
    assertThat(left(about("files", "/f/2"))).containsExactly(0);
    assertThat(codes(about("files", "/f/3"))).containsExactly(OVER, OVER);
    // A value that is listed beside it has its own counter.
    assertThat(codes(about("files", "/f/own"))).containsExactly(OK, OK);
  }

  @Test
  void belowSharedPatternOnlyOtherEntriesIdentifyTheCounter() {
    assertThat(codes(about("tree", "/t/1", "method", "PUT"))).containsExactly(OK, OK);
    assertThat(codes(about("tree", "/t/2", "method", "PUT"))).containsExactly(OVER, OVER);
    assertThat(codes(about("tree", "/t/2", "method", "GET"))).containsExactly(OK, OK);
  }

  @Test
  void valuesAreComparedAsText() {
    assertThat(limit("zahl", "größe")).isEqualTo(30);
    assertThat(limit("number", "42")).isEqualTo(31);
    assertThat(limit("flag", "true")).isEqualTo(32);
  }
}
