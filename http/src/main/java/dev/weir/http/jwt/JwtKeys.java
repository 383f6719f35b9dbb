package dev.weir.http.jwt;

import dev.weir.http.address.Ip;
import dev.weir.http.address.Network;
import dev.weir.internal.Rejections;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Where the keys for verifying tokens come from. Immutable. */
public sealed interface JwtKeys {
  /**
   * A secret shared with the issuer.
   *
   * @throws IllegalArgumentException if the secret has less than 32 bytes
   */
  static JwtKeys secret(byte[] secret) {
    return new Secret(secret);
  }

  /**
   * Public keys in a JWKS file, read again when it changes.
   *
   * @throws IllegalArgumentException if the file has no keys now
   */
  static JwtKeys file(Path file) {
    FileKeys.read(file);
    return new File(file);
  }

  /**
   * Public keys at a URL, fetched in the background.
   *
   * @throws IllegalArgumentException if the URL is neither https nor http on a loopback address
   */
  static JwtKeys url(URI url) {
    return new Url(url);
  }

  /** The names of the algorithms that fit these keys. */
  Set<String> algorithms();

  /** A shared secret. Immutable. */
  final class Secret implements JwtKeys {
    private static final int MIN_BYTES = 32;

    private final SecretKey key;
    private final int length;

    private Secret(byte[] secret) {
      if (secret.length < MIN_BYTES) {
        throw Rejections.of("secret", secret.length + " bytes", "at least " + MIN_BYTES);
      }
      this.length = secret.length;
      this.key = new SecretKeySpec(Arrays.copyOf(secret, length), "HMAC");
    }

    SecretKey key() {
      return key;
    }

    /** As RFC 7518 requires, a secret is at least as long as the output of its hash. */
    @Override
    public Set<String> algorithms() {
      return length >= 64
          ? Set.of("HS256", "HS384", "HS512")
          : length >= 48 ? Set.of("HS256", "HS384") : Set.of("HS256");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Secret that && key.equals(that.key);
    }

    @Override
    public int hashCode() {
      return key.hashCode();
    }

    @Override
    public String toString() {
      return "a secret of " + length + " bytes";
    }
  }

  /**
   * A JWKS file.
   *
   * @param path of the file
   */
  record File(Path path) implements JwtKeys {
    @Override
    public Set<String> algorithms() {
      return JwtSettings.ASYMMETRIC;
    }

    @Override
    public String toString() {
      return "the public keys in " + path;
    }
  }

  /**
   * A JWKS URL.
   *
   * @param uri with https, or with http on a loopback address
   */
  record Url(URI uri) implements JwtKeys {
    /** Rejects other schemes and hosts with {@link IllegalArgumentException}. */
    public Url {
      boolean secure = "https".equalsIgnoreCase(uri.getScheme());
      boolean plain = "http".equalsIgnoreCase(uri.getScheme());
      if (uri.getHost() == null || !(secure || (plain && isLoopback(uri.getHost())))) {
        throw Rejections.of("url", uri, "https, or http on a loopback address");
      }
    }

    @Override
    public Set<String> algorithms() {
      return JwtSettings.ASYMMETRIC;
    }

    @Override
    public String toString() {
      return "the public keys at " + uri;
    }

    private static boolean isLoopback(String host) {
      boolean bracketed = host.startsWith("[") && host.endsWith("]");
      Ip address = Ip.parse(bracketed ? host.substring(1, host.length() - 1) : host);
      if (address == null) {
        return host.equalsIgnoreCase("localhost");
      }
      return Network.parse("127.0.0.0/8").contains(address)
          || Network.parse("::1").contains(address);
    }
  }
}
