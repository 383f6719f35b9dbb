package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONArrayUtils;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What validate says of files, and what a server says that has them. */
class ValidatedServerTest {
  private static final Pattern VERSION = Pattern.compile(", version ([0-9a-f]{12})\n$");

  @TempDir private Path directory = Path.of("");

  @Test
  void theVersionIsTheOneThatTheServerTells() throws Exception {
    Path file = Files.copy(Ran.SAMPLE, directory.resolve("rules.yaml"));
    Path many = Files.createDirectory(directory.resolve("many"));
    Files.writeString(many.resolve("b.yaml"), "rules: [{name: b, limit: 1/s}]\n");
    Files.writeString(many.resolve("a.yml"), "rules: [{name: a, limit: 2/s}]\n");
    Files.writeString(many.resolve("shop.yaml"), "domain: shop\ndescriptors: [{key: k}]\n");
    Files.writeString(many.resolve("notes.txt"), "left alone");
    for (Path rules : List.of(file, many)) {
      String printed = printed(rules);
      try (Live live = Live.with(rules)) {
        Map<String, Object> inForce = json(live.admin() + "/rules");
        assertThat(Ran.at(inForce, "version")).as(rules.toString()).isEqualTo(printed);
        assertThat(Ran.at(json(live.admin() + "/readyz"), "rules")).isEqualTo(printed);
      }
    }
    assertThat(printed(many)).isNotEqualTo(printed(file));
  }

  private static Map<String, Object> json(String url) throws Exception {
    return JSONObjectUtils.parse(Serving.fetch(url).body());
  }

  private static String printed(Path rules) throws Exception {
    String out = Ran.weir("validate", rules).out();
    Matcher version = VERSION.matcher(out);
    assertThat(version.find()).as(out).isTrue();
    assertThat(
            Ran.at(JSONArrayUtils.parse(Ran.weir("validate", "--json", rules).out()), 0, "version"))
        .isEqualTo(version.group(1));
    return version.group(1);
  }

  @Test
  void rulesThatAreRefusedHaveNoVersionThatCouldBeInForce() throws Exception {
    Path bad = Files.writeString(directory.resolve("bad.yaml"), "rules: [{name: a}]\n");
    assertThat(Ran.weir("validate", bad).out()).doesNotContain("version");
    assertThat(
            Ran.at(JSONArrayUtils.parse(Ran.weir("validate", "--json", bad).out()), 0, "version"))
        .isEqualTo("null");
  }

  @Test
  void aServerThatLimitsNothingSaysSoWhenItStarts() throws Exception {
    Path none = Files.writeString(directory.resolve("none.yaml"), "rules: []\n");
    String warning = none + ":1:1: warning: rules: none, so nothing is limited [no-limit]\n";
    assertThat(Ran.weir("validate", none).out()).startsWith(warning);
    try (Serving serving = Serving.start(Map.of(), "--rules", none).ready()) {
      assertThat(serving.said()).contains(warning);
    }
  }
}
