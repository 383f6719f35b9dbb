package dev.weir.rules.syntax;

import dev.weir.http.jwt.JwtKeys;
import dev.weir.http.jwt.JwtSettings;
import dev.weir.http.jwt.TokenLocation;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.YamlNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads {@code jwt}: which tokens are trusted. A secret is never written into the rules: it comes
 * from the environment or from a file of its own.
 *
 * <p>Not thread-safe.
 */
public final class JwtSyntax {
  static final Set<String> KEYS =
      Set.of(
          "jwks",
          "secret-env",
          "secret-file",
          "token",
          "algorithms",
          "issuer",
          "audience",
          "skew",
          "require-expiry");
  private static final List<String> KEY_SOURCES = List.of("jwks", "secret-env", "secret-file");
  private static final int MAX_SECRET_BYTES = 4_096;
  private static final Duration MAX_SKEW = Duration.ofMinutes(10);

  private final Path directory;
  private final Map<String, String> environment;
  private final Problems problems;

  /**
   * A reader for the {@code jwt} section of a file.
   *
   * @param directory that relative paths refer to
   * @param environment the variables that {@code secret-env} may name
   */
  public JwtSyntax(Path directory, Map<String, String> environment, Problems problems) {
    this.directory = directory;
    this.environment = environment;
    this.problems = problems;
  }

  Optional<JwtSettings> read(YamlNode node) {
    Section section = Section.of(node, "jwt", KEYS, problems);
    List<String> sources = KEY_SOURCES.stream().filter(section::has).toList();
    if (sources.size() > 1 || section.lacks(KEY_SOURCES.toArray(String[]::new))) {
      String found = sources.isEmpty() ? "no keys" : String.join(" and ", sources);
      problems.error(node.location(), "jwt", found, "one of " + String.join(", ", KEY_SOURCES));
    }
    Optional<JwtKeys> keys =
        section
            .parse("jwks", this::jwks)
            .or(() -> section.parse("secret-env", this::fromEnvironment))
            .or(() -> section.parse("secret-file", this::fromFile));
    TokenLocation token =
        section.parse("token", JwtSyntax::tokenLocation).orElse(TokenLocation.BEARER);
    String issuer = section.text("issuer").map(YamlNode.Text::value).orElse(null);
    String audience = section.text("audience").map(YamlNode.Text::value).orElse(null);
    Optional<Duration> skew = section.parse("skew", JwtSyntax::skew);
    boolean requireExpiry = section.flag("require-expiry", true);
    List<YamlNode.Text> algorithms = section.texts("algorithms");
    if (keys.isEmpty()) {
      return Optional.empty();
    }
    JwtSettings settings =
        JwtSettings.of(keys.get())
            .withToken(token)
            .withIssuer(issuer)
            .withAudience(audience)
            .withRequireExpiry(requireExpiry);
    try {
      Set<String> names = new TreeSet<>(algorithms.stream().map(YamlNode.Text::value).toList());
      settings = names.isEmpty() ? settings : settings.withAlgorithms(names);
    } catch (IllegalArgumentException e) {
      problems.error(algorithms.get(0).location(), String.valueOf(e.getMessage()));
      return Optional.empty();
    }
    return Optional.of(skew.isPresent() ? settings.withClockSkew(skew.get()) : settings);
  }

  private static Duration skew(String text) {
    Duration skew = text.matches("0\\s*[a-z]*") ? Duration.ZERO : LimitSyntax.duration(text);
    if (skew.compareTo(MAX_SKEW) > 0) {
      String expected = "at most " + MAX_SKEW.toMinutes() + " minutes";
      throw new IllegalArgumentException("skew: " + text + " (expected: " + expected + ")");
    }
    return skew;
  }

  private JwtKeys jwks(String where) {
    if (where.contains("://")) {
      return JwtKeys.url(URI.create(where));
    }
    Path file = path(where);
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IllegalArgumentException("jwks: " + where + " (expected: a file that can be read)");
    }
    return JwtKeys.file(file);
  }

  private JwtKeys fromEnvironment(String name) {
    String secret = environment.get(name);
    if (secret == null) {
      String expected = "an environment variable that is set";
      throw new IllegalArgumentException("secret-env: " + name + " (expected: " + expected + ")");
    }
    return JwtKeys.secret(secret.getBytes(StandardCharsets.UTF_8));
  }

  private JwtKeys fromFile(String name) {
    Path file = path(name);
    try {
      // A device or a pipe reports no reliable size.
      if (Files.isRegularFile(file) && Files.size(file) <= MAX_SECRET_BYTES) {
        String text = Files.readString(file);
        return JwtKeys.secret(text.strip().getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      // Reported below: whatever the reason, the file cannot be read.
    }
    String expected = "a text file of at most " + MAX_SECRET_BYTES + " bytes that can be read";
    throw new IllegalArgumentException("secret-file: " + name + " (expected: " + expected + ")");
  }

  private Path path(String name) {
    try {
      return directory.resolve(name);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("file: " + name + " (expected: a path)", e);
    }
  }

  private static TokenLocation tokenLocation(String text) {
    String[] words = text.strip().split("\\s+", -1);
    if (words.length == 2 && words[0].equals("header")) {
      return TokenLocation.header(IdentitySyntax.lower(words[1]));
    }
    if (words.length == 2 && words[0].equals("cookie")) {
      return TokenLocation.cookie(words[1]);
    }
    String expected = "header NAME or cookie NAME; without it, Authorization: Bearer";
    throw new IllegalArgumentException("token: " + text + " (expected: " + expected + ")");
  }
}
