package dev.weir.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules from files and from somebody who sends them, side by side. */
class RuleBoardTest extends Reloading {
  private static final List<Source> NONE = List.of();

  private RuleBoard board = board();
  private RuleOrigin sent = board.origin("server");

  private RuleBoard board() {
    return new RuleBoard(TestRules.loader(), () -> now);
  }

  @BeforeEach
  void fresh() {
    board = board();
    sent = board.origin("server");
  }

  @AfterEach
  void close() {
    board.close();
  }

  private RulesWatch files() throws Exception {
    return new RulesWatch(RuleFiles.at(file), board, () -> now);
  }

  private static List<Source> domain(String name) {
    return List.of(
        Source.of(
            name + ".cfg",
            "domain: "
                + name
                + "\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 1}}]\n"));
  }

  private List<String> inForce() {
    List<String> all =
        new java.util.ArrayList<>(
            board.current().book().rules().stream().map(Object::toString).toList());
    all.addAll(board.current().rules().domains().names());
    return all;
  }

  @Test
  void nothingIsLoadedUntilEverybodyHasGivenRules() throws Exception {
    assertThat(board.isLoaded()).isFalse();
    try (RulesWatch watch = files()) {
      assertThat(watch.isLoaded()).isFalse();
      assertThat(inForce()).containsExactly("one");
      assertThat(sent.offer(domain("shop"))).isEmpty();
      assertThat(watch.isLoaded()).isTrue();
      assertThat(board.loaded().toCompletableFuture()).isDone();
      assertThat(inForce()).containsExactly("one", "shop");
      assertThat(board.status().reloads()).isZero();
      assertThatThrownBy(() -> board.origin("late")).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void nothingIsAlsoSomething() {
    assertThat(sent.offer(NONE)).isEmpty();
    assertThat(board.isLoaded()).isTrue();
    assertThat(sent.offer(domain("shop"))).isEmpty();
    assertThat(inForce()).containsExactly("shop");
    assertThat(sent.offer(NONE)).isEmpty();
    assertThat(inForce()).isEmpty();
    assertThat(board.status().reloads()).isEqualTo(2);
  }

  @Test
  void whatOneChangesLeavesAloneWhatTheOtherGave() throws Exception {
    try (RulesWatch watch = files()) {
      sent.offer(domain("shop"));
      write(file, rules("two"));
      settle(watch);
      assertThat(inForce()).containsExactly("two", "shop");
      sent.offer(domain("shelf"));
      assertThat(inForce()).containsExactly("two", "shelf");
    }
  }

  @Test
  void whatIsWrongWithOneIsToldUntilItIsRightAndHoldsUpNobodyElse() throws Exception {
    try (RulesWatch watch = files()) {
      sent.offer(domain("shop"));
      List<Source> bad = List.of(Source.of("shop.cfg", "domain: shop\ndescriptors: [{value: v}]"));
      String problem = "shop.cfg:2:15: key: nothing (expected: a key)";
      assertThat(sent.offer(bad)).containsExactly(problem);
      assertThat(sent.offer(bad)).containsExactly(problem);
      assertThat(board.status().refusals()).isEqualTo(1);
      assertThat(errors()).hasSize(1);
      write(file, rules("two"));
      settle(watch);
      assertThat(inForce()).containsExactly("two", "shop");
      assertThat(board.status().problems()).containsExactly(problem);
      write(file, BAD);
      settle(watch);
      assertThat(board.status().problems()).hasSize(2).contains(problem);
      sent.offer(domain("shelf"));
      assertThat(inForce()).containsExactly("two", "shelf");
      assertThat(board.status().problems()).singleElement().asString().contains("limit: x");
    }
  }

  @Test
  void oneDomainIsOfOneOfThem() throws Exception {
    write(file, "domain: shop\ndescriptors: [{key: other}]\n");
    try (RulesWatch watch = files()) {
      assertThat(sent.offer(domain("shop")))
          .containsExactly(
              file
                  + ":1:1: domain: shop (expected: each domain in one file only; the first is at"
                  + " shop.cfg:1:1)");
      assertThat(watch.isLoaded()).isFalse();
    }
  }
}
