package dev.weir.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A directory that is still empty when the rules begin. */
class AwaitedFilesTest extends Reloading {
  private static final String SHOP =
      "domain: shop\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 1}}]\n";

  private Path empty() throws IOException {
    return Files.createDirectory(directory.resolve("empty"));
  }

  @Test
  void rulesBeginWithNothingAndTakeOnTheFirstFiles() throws Exception {
    Path config = empty();
    RulesWatch watch = watch(RuleFiles.allBelow(config));
    assertThat(watch.isLoaded()).isTrue();
    assertThat(watch.current().rules().domains().names()).isEmpty();
    String waiting = config + ": no files yet, nothing is limited (expected: at least one file)";
    assertThat(watch.status().notes()).containsExactly(waiting);
    assertThat(watch.status().isRefusedPending()).as("nothing came to be refused").isFalse();
    pass(RulesWatch.RETRY);
    settle(watch);
    assertThat(watch.status().notes()).containsExactly(waiting);
    assertThat(watch.status().isRefusedPending()).isFalse();
    assertThat(watch.status().refusals()).isZero();
    write(config.resolve("limits"), SHOP);
    settle(watch);
    assertThat(watch.current().rules().domains().names()).containsExactly("shop");
    assertThat(watch.status().notes()).isEmpty();
    assertThat(watch.status().refusals()).isZero();
  }

  @Test
  void aFirstFileThatMakesNoSenseIsRefused() throws Exception {
    Path config = empty();
    RulesWatch watch = watch(RuleFiles.allBelow(config));
    write(config.resolve("limits"), "domain: [");
    settle(watch);
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(watch.status().notes()).singleElement().asString().contains("limits:1:");
    assertThat(watch.status().isRefusedPending()).isTrue();
  }

  @Test
  void rulesStayWhenTheirFilesVanish() throws Exception {
    Path config = empty();
    write(config.resolve("limits"), SHOP);
    RulesWatch watch = watch(RuleFiles.allBelow(config));
    Files.delete(config.resolve("limits"));
    settle(watch);
    assertThat(watch.current().rules().domains().names()).containsExactly("shop");
    assertThat(watch.status().problems()).singleElement().asString().contains("0 (expected: ");
  }

  @Test
  void aDirectoryThatIsMissingOrMeantForRulesOfOurOwnMustNotBeEmpty() throws Exception {
    Path config = empty();
    assertThatThrownBy(() -> watch(RuleFiles.at(config)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("0 (expected: between 1 and 1000 files that end in .yaml or .yml)");
    assertThatThrownBy(() -> watch(RuleFiles.allBelow(directory.resolve("missing"))))
        .isInstanceOf(IOException.class);
  }
}
