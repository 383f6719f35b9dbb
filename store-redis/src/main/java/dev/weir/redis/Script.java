package dev.weir.redis;

import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** A script that decides, and the name by which Redis knows it once it has seen it. */
final class Script {
  /** Everything. */
  static final Script CLAIMS = new Script("claims.lua");

  /** Only takes from buckets and fixed windows, but quicker. */
  static final Script TAKES = new Script("takes.lua");

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

  /** Gives all of them to a server; who is not told of them asks again with the whole text. */
  static void load(RedisScriptingAsyncCommands<byte[], byte[]> commands) {
    for (Script script : new Script[] {CLAIMS, TAKES}) {
      var unused = commands.scriptLoad(script.text);
    }
  }

  byte[] text() {
    return text.clone();
  }

  String sha() {
    return sha;
  }
}
