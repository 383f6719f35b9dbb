package dev.weir.yaml;

import dev.weir.domain.Domain;
import dev.weir.domain.DomainRule;
import dev.weir.domain.Entry;
import dev.weir.domain.Hit;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Files in the format of Envoy's rate limit service, as tests want them. */
final class TestEnvoy {
  static final Path RESOURCES = Path.of("src/test/resources/envoy");

  private TestEnvoy() {}

  /** A domain {@code shop} with these descriptors, in flow style, one in a line from line 3. */
  static String shop(String... descriptors) {
    StringBuilder yaml = new StringBuilder("domain: shop\ndescriptors:\n");
    for (String one : descriptors) {
      yaml.append("  - {").append(one).append("}\n");
    }
    return yaml.toString();
  }

  static Domain load(String... descriptors) throws RulesRefused {
    return TestRules.load(shop(descriptors)).domains().domain("shop").orElseThrow();
  }

  /** The rule of a descriptor with one key, {@code a}, and this rate. */
  static DomainRule rate(String rate) throws RulesRefused {
    return load("key: a, rate_limit: {" + rate + "}").rules().get(0);
  }

  /** What {@code "a=b c=d"} leads to. */
  static Optional<Hit> match(Domain domain, String descriptor) {
    List<Entry> entries = new ArrayList<>();
    for (String one : descriptor.split(" ", -1)) {
      String[] parts = one.split("=", 2);
      entries.add(new Entry(parts[0], parts[1]));
    }
    return domain.match(entries);
  }

  static List<String> errors(String name, String yaml) {
    return BrokenFilesContract.errors(name, yaml.getBytes(StandardCharsets.UTF_8));
  }

  /** The warnings about some descriptors, without the file's name. */
  static List<String> warnings(String... descriptors) throws RulesRefused {
    return TestRules.load(shop(descriptors)).warnings().stream()
        .map(one -> one.toString().replaceFirst("^rules.yaml:", ""))
        .toList();
  }
}
