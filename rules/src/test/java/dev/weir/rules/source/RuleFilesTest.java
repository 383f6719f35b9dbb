package dev.weir.rules.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.TestRules;
import dev.weir.rules.yaml.RulesText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several files that are read as one. */
class RuleFilesTest {
  @TempDir Path directory;

  @SuppressWarnings("NullAway.Init")
  RuleFilesTest() {}

  @Test
  void directoryIsReadAsOneFileInTheOrderOfNames() throws Exception {
    write("20-rules.yml", "rules: [{name: b, per: who, tier: who, default-tier: t}]");
    write("10-rules.yaml", "rules: [{name: a, limit: 1/s}]");
    write("00-names.yaml", "identity: {who: header X-Who}\ntiers: {t: 5/s}");
    write(".hidden.yaml", "nonsense");
    write("readme.txt", "nonsense");
    Files.createDirectory(directory.resolve("sub.yaml"));
    assertThat(load().book().rules()).extracting(Object::toString).containsExactly("a", "b");
  }

  @Test
  void duplicateDefinitionIsRefusedWithBothLocations() throws Exception {
    write(
        "a.yaml",
        "path-case: sensitive\nidentity: {u: ip}\ntiers: {t: 1/s}\nrules: [{name: r, limit: 1/s}]");
    write(
        "b.yaml",
        "path-case: sensitive\nidentity: {u: ip}\ntiers: {t: 1/s}\nrules: [{name: r, limit: 2/s}]");
    assertThat(errors())
        .containsExactly(
            "b.yaml:1:1: path-case: again (expected: in one file only; the first is at a.yaml:1:1)",
            "b.yaml:2:12: identity: u (expected: each name once; the first is at a.yaml:2:12)",
            "b.yaml:3:9: tier: t (expected: each name once; the first is at a.yaml:3:9)",
            "b.yaml:4:10: name: r (expected: each name once; the first is at a.yaml:4:10)");
  }

  @Test
  void hopsInOneFileAndProxiesInAnotherAreRefused() throws Exception {
    write("a.yaml", "trusted-hops: 2");
    write("b.yaml", "trusted-proxies: 10.0.0.0/8\nrules: []");
    assertThat(errors())
        .containsExactly(
            "b.yaml:1:1: trusted-proxies: both (expected: either trusted-hops or trusted-proxies)");
  }

  @Test
  void errorsOfAllFilesAreReportedTogether() throws Exception {
    write("a.yaml", "rules: [{name: a, limit: x}]");
    write("b.yaml", "rules: [\n");
    write("c.yaml", "rules: [{name: c, limit: y}]");
    assertThat(errors()).hasSize(3);
  }

  @Test
  void fileExtensionsAreCaseInsensitive() throws Exception {
    write("a.YAML", "rules: [{name: a, limit: 1/s}]");
    write("b.Yml", "rules: [{name: b, limit: 1/s}]");
    assertThat(load().book().rules()).extracting(Object::toString).containsExactly("a", "b");
  }

  /** Names that an unreadable file may have defined are no errors in the others. */
  @Test
  void unreadableFileIsReportedOnce() throws Exception {
    write("a.yaml", "identity: {who: ip\n");
    write("b.yaml", "rules: [{name: b, per: who, tier: who, default-tier: t}]");
    assertThat(errors()).singleElement().asString().startsWith("a.yaml:");
  }

  @Test
  void directoryWithoutRulesIsRefused() {
    assertThatThrownBy(() -> RuleFiles.at(directory).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("0 (expected: between 1 and 1000 files that end in .yaml or .yml)");
  }

  @Test
  void directoryOfMoreThanAThousandFilesIsRefused() throws Exception {
    for (int i = 0; i < 1_001; i++) {
      Files.createFile(directory.resolve(i + ".yaml"));
    }
    String problem =
        directory + ": more (expected: between 1 and 1000 files that end in .yaml or .yml)";
    assertThatThrownBy(() -> RuleFiles.at(directory).read()).hasMessage(problem);
    assertThat(RuleFiles.at(directory).fingerprint().problem()).isEqualTo(problem);
  }

  @Test
  void danglingLinkIsRefused() throws Exception {
    write("a.yaml", "rules: []");
    Path link = Files.createSymbolicLink(directory.resolve("b.yaml"), Path.of("nowhere"));
    assertThatThrownBy(() -> RuleFiles.at(directory).read())
        .hasMessage(link + ": no file (expected: a file, or a link to one)");
  }

  @Test
  void totalSizeIsBounded() throws Exception {
    for (int i = 0; i < 6; i++) {
      Files.write(directory.resolve(i + ".yaml"), new byte[RulesText.MAX_BYTES]);
    }
    assertThatThrownBy(() -> RuleFiles.at(directory).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bytes in all files");
  }

  @Test
  void relativePathsReferToTheDirectoryOfTheFile() throws Exception {
    write("secret.txt", TestRules.SECRET + "\n");
    write("a.yaml", "jwt: {secret-file: secret.txt}\nrules: [{name: a, per: jwt sub, limit: 1/s}]");
    assertThat(load().http().jwt()).isNotNull();
    write("a.yaml", "jwt: {secret-file: /dev/zero}\nrules: []");
    assertThat(errors()).singleElement().asString().contains("at most 4096 bytes that can be read");
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  private RuleSet load() throws IOException, RulesRejected {
    return TestRules.loader().load(RuleFiles.at(directory).read());
  }

  private List<String> errors() throws IOException {
    try {
      load();
      return List.of();
    } catch (RulesRejected e) {
      return e.problems().stream().map(one -> one.toString().replace(directory + "/", "")).toList();
    }
  }

  @Test
  void truncatedFileWithoutRulesIsRefused() {
    assertThat(TestRules.errors("identity:\n  key: header X-Key\ntiers:\n  free: 1/s\n"))
        .containsExactly("1:1: rules: nothing (expected: a list of rules)");
  }
}
