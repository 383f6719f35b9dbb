package dev.weir.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** The script that decides, and the name by which Redis knows it once it has seen it. */
final class Script {
  static final Script CLAIMS = new Script("claims.lua");

  private final byte[] text;
  private final String sha;

  private Script(String resource) {
    try (InputStream in = Script.class.getResourceAsStream(resource)) {
      this.text = Objects.requireNonNull(in, resource).readAllBytes();
      this.sha = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }

  byte[] text() {
    return text.clone();
  }

  String sha() {
    return sha;
  }

  @Override
  public String toString() {
    return new String(text, StandardCharsets.UTF_8);
  }
}
