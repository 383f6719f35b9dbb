package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.rule.Multiple;
import dev.weir.rules.action.Adjustment;
import dev.weir.rules.action.Adjustment.Kind;
import dev.weir.rules.source.RulesFileWatcher;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Actions outlive the version of the rules under which they were taken. */
class ReloadWithActionsTest extends ReloadTestBase {
  private static final Adjustment TWICE =
      new Adjustment(
          "a1",
          Kind.MULTIPLY,
          Optional.of("one"),
          Optional.of(new Multiple(2 * Multiple.WHOLE)),
          OptionalLong.empty());

  private static List<Long> permits(RulesFileWatcher watch) {
    return watch.current().book().match(Descriptor.of(Map.of())).claims().stream()
        .map(one -> one.limit().permits())
        .toList();
  }

  @Test
  void reloadKeepsActionsAndAMissingRuleLeavesThemIdle() throws Exception {
    RulesFileWatcher watch = watch(file);
    String version = watch.current().version();
    watch.adjust(List.of(TWICE));
    assertThat(permits(watch)).containsExactly(2L);
    assertThat(watch.current().version()).as("of the text").isEqualTo(version);
    assertThat(watch.current().adjustments().adjusting("one")).containsExactly("a1");

    write(file, rules("two", "one"));
    settle(watch);
    assertThat(permits(watch)).containsExactly(1L, 2L);

    write(file, rules("two"));
    settle(watch);
    assertThat(permits(watch)).containsExactly(1L);
    assertThat(watch.current().adjustments().idle())
        .containsEntry("a1", "there is no rule of this name");

    write(file, rules("one"));
    settle(watch);
    assertThat(permits(watch)).containsExactly(2L);
    assertThat(watch.current().adjustments().idle()).isEmpty();
    watch.adjust(List.of());
    assertThat(permits(watch)).containsExactly(1L);
  }

  /** The log compares what the files say, whatever operators do meanwhile. */
  @Test
  void actionIsNoChangeOfTheRules() throws Exception {
    RulesFileWatcher watch = watch(file);
    watch.adjust(List.of(TWICE));
    write(file, rules("one") + "# a comment\n");
    settle(watch);
    assertThat(lastMessage()).endsWith(": no rule changed");
    assertThat(watch.status().reloads()).isEqualTo(1);
  }

  @Test
  void refusedVersionLeavesActionsInForce() throws Exception {
    RulesFileWatcher watch = watch(file);
    watch.adjust(List.of(TWICE));
    write(file, BAD);
    settle(watch);
    assertThat(watch.status().isNewestRefused()).isTrue();
    assertThat(permits(watch)).containsExactly(2L);
  }
}
