package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.source.RulesFileWatcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Domains that change while they are active. */
class EnvoyReloadTest extends ReloadTestBase {
  private static String shop(String key) {
    return TestEnvoy.shop("key: " + key + ", rate_limit: {unlimited: true}");
  }

  private static List<String> paths(RulesFileWatcher watch) {
    return watch.current().rules().domains().rules().stream().map(DomainRule::path).toList();
  }

  @Test
  void directoryBehindALinkIsReloadedWhenTheLinkIsSwitched() throws Exception {
    for (String version : List.of("v1", "v2")) {
      Path config = Files.createDirectories(directory.resolve(version).resolve("ratelimit/config"));
      write(config.resolve("shop.yaml"), shop(version));
    }
    Path current = Files.createSymbolicLink(directory.resolve("current"), Path.of("v1"));
    RulesFileWatcher watch = watch(current.resolve("ratelimit/config"));
    assertThat(paths(watch)).containsExactly("shop.v1");
    Path next = Files.createSymbolicLink(directory.resolve("next"), Path.of("v2"));
    Files.move(next, current, StandardCopyOption.REPLACE_EXISTING);
    settle(watch);
    assertThat(paths(watch)).containsExactly("shop.v2");
    assertThat(lastMessage()).endsWith(": 1 added (shop.v2), 1 removed (shop.v1)");
  }

  @Test
  void changedLimitsOfADomainAreLogged() throws Exception {
    String limits =
        """
        domain: shop
        descriptors:
          - {key: a, rate_limit: {unit: day, requests_per_unit: 1}}
          - {key: b, rate_limit: {unit: day, requests_per_unit: 1}}
        """;
    write(file, limits);
    RulesFileWatcher watch = watch(file);
    write(file, limits.replaceFirst("per_unit: 1", "per_unit: 2"));
    settle(watch);
    assertThat(lastMessage()).endsWith(": 1 changed (shop.a)");
  }

  @Test
  void invalidVersionLeavesThePreviousOneActive() throws Exception {
    write(file, shop("one"));
    RulesFileWatcher watch = watch(file);
    write(file, shop("two, kee: x"));
    settle(watch);
    assertThat(paths(watch)).containsExactly("shop.one");
    assertThat(watch.status().problems()).singleElement().asString().contains(":3:16: key: kee ");
    write(file, shop("three"));
    settle(watch);
    assertThat(paths(watch)).containsExactly("shop.three");
  }
}
