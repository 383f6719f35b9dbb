package dev.weir.cli.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page about moving lists every setting of envoyproxy/ratelimit, correctly. */
class MovingDocTest {
  private static final Path PAGE = Repository.path("docs/moving-from-envoyproxy-ratelimit.md");
  private static final Pattern NAME = Pattern.compile("`([A-Z_]+…?)(?:=[a-z]+)?`");

  static List<String> settings() throws IOException {
    String all = Files.readString(Path.of("src/test/resources/ratelimit-settings.txt"));
    return Stream.of(all.strip().split("\\s+", -1)).toList();
  }

  /** The names in the first column of the table with this head. */
  private static Set<String> names(String head) throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    int start = lines.indexOf(head);
    assertThat(start).as(head).isPositive();
    return lines.subList(start + 2, lines.size()).stream()
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> line.split("\\|", -1)[1])
        .flatMap(column -> NAME.matcher(column).results())
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toSet());
  }

  private static boolean isIn(Set<String> names, String setting) {
    return names.contains(setting)
        || names.stream()
            .filter(name -> name.endsWith("…"))
            .anyMatch(name -> setting.startsWith(name.substring(0, name.length() - 1)));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void eachSettingIsReadOrReportsItsReplacement(String setting) throws Exception {
    boolean read = isIn(names("| variable | here |"), setting);
    boolean unused = isIn(names("| variable | not used, because |"), setting);
    assertThat(read).as("in one of the tables").isNotEqualTo(unused);
    Map<String, String> environment = new HashMap<>(Map.of("RUNTIME_ROOT", "/data"));
    environment.put("CONFIG_TYPE", "GRPC_XDS_SOTW");
    environment.put(setting, setting.equals("DEBUG_HOST") ? "127.0.0.1" : "memcache");
    List<String> notes = new RatelimitEnvironment(environment).notes();
    assertThat(notes).hasSize(unused ? 1 : 0);
    assertThat(notes).allSatisfy(note -> assertThat(note).startsWith(setting + ": not used; "));
  }
}
