package dev.weir.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** A script, and the name by which Redis knows it once it has seen it. */
final class Script {
  /** Decides on everything. */
  static final Script CLAIMS = new Script("claims.lua");

  /** Decides on takes from buckets and fixed windows only, but quicker. */
  static final Script TAKES = new Script("takes.lua");

  /** Decides nothing: keeps the list of servers. */
  static final Script ROSTER = new Script("roster.lua");

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
    for (Script script : new Script[] {CLAIMS, TAKES, ROSTER}) {
      var unused = commands.scriptLoad(script.text);
    }
  }

  /**
   * Asks a server to run it.
   *
   * @param whole whether to send the script's text, for a server that has not seen it
   */
  <T> CompletionStage<T> call(
      RedisScriptingAsyncCommands<byte[], byte[]> commands,
      boolean whole,
      ScriptOutputType type,
      byte[][] names,
      byte[][] arguments) {
    return whole
        ? commands.eval(text, type, names, arguments)
        : commands.evalsha(sha, type, names, arguments);
  }

  String sha() {
    return sha;
  }
}
