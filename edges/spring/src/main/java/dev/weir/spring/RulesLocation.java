package dev.weir.spring;

import dev.weir.rules.yaml.RulesText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ResourceUtils;

/**
 * Where {@code weir.rules} points to: files, which are watched, or a resource in a jar, which does
 * not change.
 *
 * @param files null if it is a resource in a jar
 * @param resource empty if it is a file
 */
record RulesLocation(@Nullable Path files, List<RulesText> resource) {
  static final RulesLocation NONE = new RulesLocation(null, List.of());

  private static final String REMEDY =
      "Point weir.rules to a rules file or a directory of rules files, such as"
          + " weir.rules=/etc/weir/rules.yaml, or to a resource, such as"
          + " weir.rules=classpath:rules.yaml.";

  static RulesLocation of(@Nullable String location, ResourceLoader resources) {
    if (location == null) {
      return NONE;
    }
    if (location.isBlank()) {
      throw missing(location, "a file or a resource", null);
    }
    if (ResourceUtils.isUrl(location)) {
      return ofResource(location, resources.getResource(location));
    }
    try {
      return ofFile(location, Path.of(location));
    } catch (InvalidPathException e) {
      throw missing(location, "a file", e);
    }
  }

  private static RulesLocation ofFile(String location, Path path) {
    if (!Files.isReadable(path)) {
      throw missing(
          location, "a file that can be read; it is looked for as " + path.toAbsolutePath(), null);
    }
    return new RulesLocation(path, List.of());
  }

  private static RulesLocation ofResource(String location, Resource resource) {
    if (!resource.exists()) {
      throw missing(location, "a resource that exists", null);
    }
    try {
      if (resource.isFile()) {
        return ofFile(location, resource.getFile().toPath());
      }
      try (InputStream in = resource.getInputStream()) {
        byte[] bytes = in.readNBytes(RulesText.MAX_BYTES + 1);
        return new RulesLocation(null, List.of(new RulesText(location, Path.of(""), bytes)));
      }
    } catch (IOException e) {
      throw missing(location, "a resource that can be read", e);
    }
  }

  private static WeirStartupException missing(
      String location, String expected, @Nullable Throwable cause) {
    String problem = "weir.rules: " + location + " (expected: " + expected + ")";
    return cause == null
        ? new WeirStartupException(problem, REMEDY)
        : new WeirStartupException(problem, REMEDY, cause);
  }
}
