package dev.weir.rules.domain;

import static dev.weir.rules.domain.DomainTrees.detailed;
import static dev.weir.rules.domain.DomainTrees.domain;
import static dev.weir.rules.domain.DomainTrees.entries;
import static dev.weir.rules.domain.DomainTrees.limit;
import static dev.weir.rules.domain.DomainTrees.pass;
import static dev.weir.rules.domain.DomainTrees.shared;
import static dev.weir.rules.domain.DomainTrees.valueInMetric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DomainTest {
  /** The path of the rule that applies, or "none". */
  private static String applies(Domain domain, String descriptor) {
    return domain.match(entries(descriptor)).map(match -> match.rule().path()).orElse("none");
  }

  private static String metric(Branch branch, String descriptor) {
    return domain(branch).match(entries(descriptor)).orElseThrow().metric();
  }

  private static List<Entry> counted(Branch branch, String descriptor) {
    return domain(branch).match(entries(descriptor)).orElseThrow().counted();
  }

  @Test
  void exactValueComesBeforePatternsBeforeTheKeyAlone() {
    Domain domain = domain(limit("k"), limit("k=a*"), limit("k=ab*"), limit("k=abc"));
    assertThat(applies(domain, "k=abc")).isEqualTo("k=abc");
    assertThat(applies(domain, "k=abd")).as("the first pattern, not the longest").isEqualTo("k=a*");
    assertThat(applies(domain, "k=b")).isEqualTo("k");
    assertThat(applies(domain, "k=")).isEqualTo("k");
    assertThat(applies(domain, "other=abc")).isEqualTo("none");
  }

  @Test
  void firstPatternOfTheFileWinsWhateverItsPrefix() {
    Domain one = domain(limit("k=*z"), limit("k=ab*"), limit("k=a*"));
    assertThat(applies(one, "k=abz")).isEqualTo("k=*z");
    assertThat(applies(one, "k=aby")).isEqualTo("k=ab*");
    assertThat(applies(one, "k=ac")).isEqualTo("k=a*");
    Domain other = domain(limit("k=a*"), limit("k=ab*"), limit("k=*z"));
    assertThat(applies(other, "k=abz")).isEqualTo("k=a*");
    assertThat(applies(other, "k=bz")).isEqualTo("k=*z");
  }

  @Test
  void starMatchesAnyCharactersAndTheRestIsAnchored() {
    Domain domain = domain(limit("k=/api/*/v*/list"), limit("k=ab*ba"));
    assertThat(applies(domain, "k=/api/x/v1/list")).isEqualTo("k=/api/*/v*/list");
    assertThat(applies(domain, "k=/api//v/list")).isEqualTo("k=/api/*/v*/list");
    assertThat(applies(domain, "k=/api/x/v1/lists")).isEqualTo("none");
    assertThat(applies(domain, "k=x/api/x/v1/list")).isEqualTo("none");
    assertThat(applies(domain, "k=/api/x/list")).isEqualTo("none");
    assertThat(applies(domain, "k=abba")).isEqualTo("k=ab*ba");
    assertThat(applies(domain, "k=aba")).as("ends may not overlap").isEqualTo("none");
  }

  @Test
  void limitAppliesOnlyWhereADescriptorEnds() {
    Domain domain = domain(limit("a=1", limit("b")), pass("c", limit("d")));
    assertThat(applies(domain, "a=1")).isEqualTo("a=1");
    assertThat(applies(domain, "a=1 b=2")).isEqualTo("b");
    assertThat(applies(domain, "a=1 b=2 x=3")).isEqualTo("none");
    assertThat(applies(domain, "a=1 x=3")).isEqualTo("none");
    assertThat(applies(domain, "b=2 a=1")).isEqualTo("none");
    assertThat(applies(domain, "c=1")).isEqualTo("none");
    assertThat(applies(domain, "")).isEqualTo("none");
  }

  @Test
  void matchingDoesNotBacktrack() {
    Domain domain =
        domain(pass("a=x", limit("b=1")), pass("a=x*", limit("b=2")), pass("a", limit("b=3")));
    assertThat(applies(domain, "a=x b=1")).isEqualTo("b=1");
    assertThat(applies(domain, "a=x b=2")).isEqualTo("none");
    assertThat(applies(domain, "a=xx b=2")).isEqualTo("b=2");
    assertThat(applies(domain, "a=xx b=3")).isEqualTo("none");
    assertThat(applies(domain, "a=y b=3")).isEqualTo("b=3");
  }

  @Test
  void branchWithoutLimitExemptsFromBroaderLimits() {
    assertThat(applies(domain(limit("ip"), pass("ip=10.0.0.1")), "ip=10.0.0.1")).isEqualTo("none");
  }

  @Test
  void keysAndValuesAreNotConfused() {
    Domain domain = domain(limit("a=b_c"), limit("a_b=c"), limit("x=*y"), limit("a_"));
    assertThat(applies(domain, "a=b_c")).isEqualTo("a=b_c");
    assertThat(applies(domain, "a_b=c")).isEqualTo("a_b=c");
    assertThat(applies(domain, "x_x=y"))
        .as("a star in a value does not match the key")
        .isEqualTo("none");
    assertThat(applies(domain, "a=")).isEqualTo("none");
  }

  @Test
  void starInAKeyMatchesKeyAndValueTogether() {
    Domain domain = domain(limit("tenant*"), limit("a*=z"), limit("ab=*"));
    assertThat(applies(domain, "tenant=acme")).isEqualTo("tenant*");
    assertThat(applies(domain, "tenant_id=7")).isEqualTo("tenant*");
    assertThat(applies(domain, "ab=z")).as("in the order of the file").isEqualTo("a*=z");
    assertThat(applies(domain, "ab=y_z")).as("across key and value").isEqualTo("a*=z");
    assertThat(applies(domain, "ab=y")).isEqualTo("ab=*");
  }

  @Test
  void valueEqualToAPatternMatchesItExactly() {
    Domain domain = domain(limit("k=a*"), limit("k=ab*"));
    assertThat(applies(domain, "k=ab*")).isEqualTo("k=ab*");
  }

  @Test
  void countersAreByValueUnlessShared() {
    assertThat(counted(limit("k"), "k=v")).isEqualTo(entries("k=v"));
    assertThat(counted(limit("k=v*"), "k=v1")).isEqualTo(entries("k=v1"));
    assertThat(counted(shared(limit("k=v*")), "k=v1")).isEqualTo(entries("k=v*"));
    assertThat(counted(pass("u", shared(pass("k=v*", limit("m")))), "u=1 k=v2 m=3"))
        .isEqualTo(entries("u=1 k=v* m=3"));
    assertThat(counted(shared(limit("k*")), "k1=v")).isEqualTo(entries("k1=k*"));
  }

  @Test
  void metricsAreNamedAfterTheConfigurationByDefault() {
    assertThat(metric(limit("k"), "k=v")).isEqualTo("k");
    assertThat(metric(limit("k=v"), "k=v")).isEqualTo("k_v");
    assertThat(metric(limit("k=v*"), "k=v1")).isEqualTo("k_v*");
    assertThat(metric(pass("a", pass("b=1", limit("c=*"))), "a=x b=1 c=y")).isEqualTo("a.b_1.c_*");
  }

  @Test
  void valueToMetricAddsTheValueOfItsLevel() {
    assertThat(metric(valueInMetric(limit("k")), "k=v")).isEqualTo("k_v");
    assertThat(metric(valueInMetric(limit("k")), "k=")).isEqualTo("k");
    assertThat(metric(valueInMetric(limit("k=v*")), "k=v1")).isEqualTo("k_v1");
    assertThat(metric(pass("a", valueInMetric(pass("b", limit("c")))), "a=x b=y c=z"))
        .isEqualTo("a.b_y.c");
  }

  @Test
  void sharedCounterHasThePatternInItsMetric() {
    assertThat(metric(shared(valueInMetric(pass("r=api/*", limit("m")))), "r=api/x m=GET"))
        .isEqualTo("r_api/*.m");
    assertThat(metric(shared(pass("r=api/*", detailed(limit("m")))), "r=api/x m=GET"))
        .isEqualTo("r_api/*.m_GET");
    assertThat(metric(shared(pass("r=api/*", detailed(limit("m")))), "r=api/x m="))
        .isEqualTo("r_api/*.m");
  }

  @Test
  void detailedMetricsContainAllValues() {
    assertThat(metric(pass("a", detailed(limit("b=*"))), "a=x b=y")).isEqualTo("a_x.b_y");
    assertThat(metric(pass("a", detailed(limit("b"))), "a=x b=")).isEqualTo("a_x.b_");
    assertThat(metric(detailed(limit("a", limit("b"))), "a=x b=y"))
        .as("only where the descriptor ends")
        .isEqualTo("a.b");
  }

  @Test
  void unreachableBranchesAreReported() {
    Domain domain =
        domain(
            limit("k=a*"),
            limit("k=abc"),
            limit("k=ab*c"),
            limit("k=*c"),
            limit("m=*", limit("x=*1"), limit("x=*11"), limit("x")),
            limit("m"),
            limit("m=1"),
            limit("n=*a"),
            limit("n"),
            limit("t*"),
            limit("tt*=x"),
            limit("t=x*"));
    assertThat(domain.unreachable().stream().map(Branch::text))
        .containsExactlyInAnyOrder("k_ab*c", "x_*11", "m", "tt*_x", "t_x*");
  }

  @Test
  void rulesAreInOrderAndBranchesAreCounted() {
    Domain domain = domain(limit("b", limit("c")), pass("a"), limit("d"));
    assertThat(domain.rules().stream().map(DomainRule::path)).containsExactly("b", "c", "d");
    assertThat(domain.size()).isEqualTo(4);
    DomainBook book =
        DomainBook.of(
            List.of(Domain.of("z", List.of(limit("z"))), domain, Domain.of("y", List.of())));
    assertThat(book.names()).containsExactly("z", "shop", "y");
    assertThat(book.rules().stream().map(DomainRule::path)).containsExactly("z", "b", "c", "d");
    assertThat(book.size()).isEqualTo(5);
    assertThat(book.domain("y")).isPresent();
    assertThat(book.domain("x")).isEmpty();
  }

  @Test
  void invalidTreesAreRefused() {
    assertThatThrownBy(() -> domain(limit("a=1"), limit("a=1")))
        .hasMessage("descriptor: a_1 (expected: each once among its siblings)");
    assertThatThrownBy(() -> limit("=1")).hasMessage("key: nothing (expected: a key)");
    assertThatThrownBy(() -> shared(limit("a=1")))
        .hasMessage("shared: a_1 (expected: a pattern with *)");
    assertThatThrownBy(() -> DomainBook.of(List.of(domain(), domain())))
        .hasMessage("domain: shop (expected: each domain once)");
  }

  @Test
  void nearestUnitIsFoundForOtherWindows() {
    assertThat(Unit.nearest(Duration.ofMillis(100))).isEqualTo(Unit.SECOND);
    assertThat(Unit.nearest(Duration.ofSeconds(7))).isEqualTo(Unit.SECOND);
    assertThat(Unit.nearest(Duration.ofSeconds(10))).isEqualTo(Unit.MINUTE);
    assertThat(Unit.nearest(Duration.ofHours(2))).isEqualTo(Unit.HOUR);
    assertThat(Unit.nearest(Duration.ofDays(3_660))).isEqualTo(Unit.YEAR);
  }
}
