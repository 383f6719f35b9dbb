package dev.weir.yaml;

import dev.weir.key.KeySpace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SampleTest {
  @Test
  void theSampleLoads() throws Exception {
    Path file = Path.of("src/test/resources/rules/sample.yaml");
    RuleSet rules =
        new RulesLoader(KeySpace.random(), Map.of())
            .load(List.of(Source.of("sample.yaml", Files.readString(file))));
    rules.warnings().forEach(System.out::println);
    System.out.println(rules.book().names().list());
  }
}
