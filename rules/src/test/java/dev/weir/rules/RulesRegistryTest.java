package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import dev.weir.rules.yaml.RulesText;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules from two sources: files, and a server that sends them. */
class RulesRegistryTest extends ReloadTestBase {
  private static final List<RulesText> NONE = List.of();

  private RulesRegistry registry = registry();
  private RuleSource sent = registry.addSource("server");

  private RulesRegistry registry() {
    return new RulesRegistry(TestRules.loader(), () -> now);
  }

  @BeforeEach
  void fresh() {
    registry = registry();
    sent = registry.addSource("server");
  }

  @AfterEach
  void close() {
    registry.close();
  }

  private RulesFileWatcher files() throws Exception {
    return new RulesFileWatcher(RuleFiles.at(file), registry, () -> now);
  }

  private static List<RulesText> domain(String name) {
    return List.of(
        RulesText.of(
            name + ".cfg",
            "domain: "
                + name
                + "\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 1}}]\n"));
  }

  private List<String> active() {
    List<String> all =
        new java.util.ArrayList<>(
            registry.current().book().rules().stream().map(Object::toString).toList());
    all.addAll(registry.current().rules().domains().names());
    return all;
  }

  @Test
  void registryIsLoadedOnceEverySourceHasDelivered() throws Exception {
    assertThat(registry.isLoaded()).isFalse();
    try (RulesFileWatcher watch = files()) {
      assertThat(watch.isLoaded()).isFalse();
      assertThat(active()).containsExactly("one");
      assertThat(sent.offer(domain("shop"))).isEmpty();
      assertThat(watch.isLoaded()).isTrue();
      assertThat(registry.loaded().toCompletableFuture()).isDone();
      assertThat(active()).containsExactly("one", "shop");
      assertThat(registry.status().reloads()).isZero();
      assertThatThrownBy(() -> registry.addSource("late"))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void emptyOfferCountsAsLoadedAndRemovesRules() {
    assertThat(sent.offer(NONE)).isEmpty();
    assertThat(registry.isLoaded()).isTrue();
    assertThat(sent.offer(domain("shop"))).isEmpty();
    assertThat(active()).containsExactly("shop");
    assertThat(sent.offer(NONE)).isEmpty();
    assertThat(active()).isEmpty();
    assertThat(registry.status().reloads()).isEqualTo(2);
  }

  @Test
  void changeOfOneSourceKeepsTheRulesOfTheOther() throws Exception {
    try (RulesFileWatcher watch = files()) {
      sent.offer(domain("shop"));
      write(file, rules("two"));
      settle(watch);
      assertThat(active()).containsExactly("two", "shop");
      sent.offer(domain("shelf"));
      assertThat(active()).containsExactly("two", "shelf");
    }
  }

  @Test
  void problemsOfOneSourceAreReportedUntilFixedAndDoNotBlockOthers() throws Exception {
    try (RulesFileWatcher watch = files()) {
      sent.offer(domain("shop"));
      List<RulesText> bad =
          List.of(RulesText.of("shop.cfg", "domain: shop\ndescriptors: [{value: v}]"));
      String problem = "shop.cfg:2:15: key: nothing (expected: a key)";
      assertThat(sent.offer(bad)).containsExactly(problem);
      assertThat(sent.offer(bad)).containsExactly(problem);
      assertThat(registry.status().refusals()).isEqualTo(1);
      assertThat(errors()).hasSize(1);
      write(file, rules("two"));
      settle(watch);
      assertThat(active()).containsExactly("two", "shop");
      assertThat(registry.status().problems()).containsExactly(problem);
      write(file, BAD);
      settle(watch);
      assertThat(registry.status().problems()).hasSize(2).contains(problem);
      sent.offer(domain("shelf"));
      assertThat(active()).containsExactly("two", "shelf");
      assertThat(registry.status().problems()).singleElement().asString().contains("limit: x");
    }
  }

  @Test
  void domainInTwoSourcesIsRefused() throws Exception {
    write(file, "domain: shop\ndescriptors: [{key: other}]\n");
    try (RulesFileWatcher watch = files()) {
      assertThat(sent.offer(domain("shop")))
          .containsExactly(
              file
                  + ":1:1: domain: shop (expected: each domain in one file only; the first is at"
                  + " shop.cfg:1:1)");
      assertThat(watch.isLoaded()).isFalse();
    }
  }
}
