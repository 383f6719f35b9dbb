package dev.weir.rule.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallerActionsTest {
  private static CallerAction action(String id, long caller, String rule, boolean blocked) {
    return new CallerAction(
        id, caller, rule.isEmpty() ? Optional.empty() : Optional.of(rule), blocked);
  }

  private static String found(CallerActions actions, String rule, long caller) {
    CallerAction found = actions.find(rule, caller);
    return found == null ? "none" : found.id();
  }

  @Test
  void noActionsAreAlwaysTheSameObject() {
    assertThat(CallerActions.of(List.of())).isSameAs(CallerActions.NONE);
    assertThat(found(CallerActions.NONE, "any", 0)).isEqualTo("none");
  }

  @Test
  void actionOnOneRuleConcernsNoOther() {
    CallerActions actions = CallerActions.of(List.of(action("a", 7, "login", true)));
    assertThat(found(actions, "login", 7)).isEqualTo("a");
    assertThat(found(actions, "search", 7)).isEqualTo("none");
    assertThat(found(actions, "login", 8)).isEqualTo("none");
  }

  @Test
  void newestActionThatConcernsTheRuleApplies() {
    CallerActions actions =
        CallerActions.of(
            List.of(
                action("old", 7, "login", true),
                action("all", 7, "", false),
                action("new", 7, "search", true)));
    assertThat(found(actions, "login", 7)).isEqualTo("all");
    assertThat(found(actions, "search", 7)).isEqualTo("new");
    assertThat(found(actions, "other", 7)).isEqualTo("all");
  }

  @Test
  void anyHashIsFoundAmongAThousand() {
    Seeds.run(
        random -> {
          List<CallerAction> all = new ArrayList<>();
          for (int i = 0; i < 1_000; i++) {
            all.add(action("a" + i, random.nextLong(), "", random.nextBoolean()));
          }
          CallerActions actions = CallerActions.of(all);
          for (CallerAction one : all) {
            assertThat(actions.find("any", one.caller())).isEqualTo(one);
            assertThat(actions.find("any", one.caller() + 1)).isNull();
          }
        });
  }
}
