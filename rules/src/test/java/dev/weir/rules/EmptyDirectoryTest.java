package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A directory that is still empty when the server starts. */
class EmptyDirectoryTest extends ReloadTestBase {
  private static final String SHOP =
      "domain: shop\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 1}}]\n";

  private Path empty() throws IOException {
    return Files.createDirectory(directory.resolve("empty"));
  }

  @Test
  void emptyDirectoryStartsWithoutRulesAndLoadsTheFirstFiles() throws Exception {
    Path config = empty();
    RulesFileWatcher watch = watch(RuleFiles.allBelow(config));
    assertThat(watch.isLoaded()).isTrue();
    assertThat(watch.current().rules().domains().names()).isEmpty();
    String waiting = config + ": no files yet, nothing is limited (expected: at least one file)";
    assertThat(watch.status().notes()).containsExactly(waiting);
    assertThat(watch.status().isNewestRefused()).as("nothing was refused").isFalse();
    advance(RulesFileWatcher.RETRY);
    settle(watch);
    assertThat(watch.status().notes()).containsExactly(waiting);
    assertThat(watch.status().isNewestRefused()).isFalse();
    assertThat(watch.status().refusals()).isZero();
    write(config.resolve("limits"), SHOP);
    settle(watch);
    assertThat(watch.current().rules().domains().names()).containsExactly("shop");
    assertThat(watch.status().notes()).isEmpty();
    assertThat(watch.status().refusals()).isZero();
  }

  @Test
  void invalidFirstFileIsRefused() throws Exception {
    Path config = empty();
    RulesFileWatcher watch = watch(RuleFiles.allBelow(config));
    write(config.resolve("limits"), "domain: [");
    settle(watch);
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(watch.status().notes()).singleElement().asString().contains("limits:1:");
    assertThat(watch.status().isNewestRefused()).isTrue();
  }

  @Test
  void rulesStayActiveWhenTheirFilesVanish() throws Exception {
    Path config = empty();
    write(config.resolve("limits"), SHOP);
    RulesFileWatcher watch = watch(RuleFiles.allBelow(config));
    Files.delete(config.resolve("limits"));
    settle(watch);
    assertThat(watch.current().rules().domains().names()).containsExactly("shop");
    assertThat(watch.status().problems()).singleElement().asString().contains("0 (expected: ");
  }

  @Test
  void missingDirectoryOrEmptyDirectoryOfRulesFilesIsRefused() throws Exception {
    Path config = empty();
    assertThatThrownBy(() -> watch(RuleFiles.at(config)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("0 (expected: between 1 and 1000 files that end in .yaml or .yml)");
    assertThatThrownBy(() -> watch(RuleFiles.allBelow(directory.resolve("missing"))))
        .isInstanceOf(IOException.class);
  }
}
