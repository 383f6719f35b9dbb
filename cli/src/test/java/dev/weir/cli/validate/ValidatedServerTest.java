package dev.weir.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONArrayUtils;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.CommandRun;
import dev.weir.cli.LocalServer;
import dev.weir.cli.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of validate agrees with a server that has the same files. */
class ValidatedServerTest {
  private static final Pattern VERSION = Pattern.compile(", version ([0-9a-f]{12})\n$");

  @TempDir private Path directory = Path.of("");

  @Test
  void versionEqualsThatOfTheServer() throws Exception {
    Path file = Files.copy(CommandRun.SAMPLE, directory.resolve("rules.yaml"));
    Path many = Files.createDirectory(directory.resolve("many"));
    Files.writeString(many.resolve("b.yaml"), "rules: [{name: b, limit: 1/s}]\n");
    Files.writeString(many.resolve("a.yml"), "rules: [{name: a, limit: 2/s}]\n");
    Files.writeString(many.resolve("shop.yaml"), "domain: shop\ndescriptors: [{key: k}]\n");
    Files.writeString(many.resolve("notes.txt"), "ignored");
    for (Path rules : List.of(file, many)) {
      String printed = printed(rules);
      try (LocalServer live = LocalServer.with(rules)) {
        Map<String, Object> active = json(live.admin() + "/rules");
        assertThat(CommandRun.valueAt(active, "version")).as(rules.toString()).isEqualTo(printed);
        assertThat(CommandRun.valueAt(json(live.admin() + "/readyz"), "rules")).isEqualTo(printed);
      }
    }
    assertThat(printed(many)).isNotEqualTo(printed(file));
  }

  private static Map<String, Object> json(String url) throws Exception {
    return JSONObjectUtils.parse(ServerProcess.fetch(url).body());
  }

  private static String printed(Path rules) throws Exception {
    String out = CommandRun.weir("validate", rules).out();
    Matcher version = VERSION.matcher(out);
    assertThat(version.find()).as(out).isTrue();
    assertThat(
            CommandRun.valueAt(
                JSONArrayUtils.parse(CommandRun.weir("validate", "--json", rules).out()),
                0,
                "version"))
        .isEqualTo(version.group(1));
    return version.group(1);
  }

  @Test
  void refusedRulesHaveNoVersion() throws Exception {
    Path bad = Files.writeString(directory.resolve("bad.yaml"), "rules: [{name: a}]\n");
    assertThat(CommandRun.weir("validate", bad).out()).doesNotContain("version");
    assertThat(
            CommandRun.valueAt(
                JSONArrayUtils.parse(CommandRun.weir("validate", "--json", bad).out()),
                0,
                "version"))
        .isEqualTo("null");
  }

  @Test
  void serverThatLimitsNothingWarnsAtTheStart() throws Exception {
    Path none = Files.writeString(directory.resolve("none.yaml"), "rules: []\n");
    String warning = none + ":1:1: warning: rules: none, so nothing is limited [no-limit]\n";
    assertThat(CommandRun.weir("validate", none).out()).startsWith(warning);
    try (ServerProcess serving = ServerProcess.start(Map.of(), "--rules", none).awaitReady()) {
      assertThat(serving.output()).contains(warning);
    }
  }
}
