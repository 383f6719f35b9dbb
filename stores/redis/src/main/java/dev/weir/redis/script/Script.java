package dev.weir.redis.script;

import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** A Lua script and the SHA-1 by which a server calls it once it is loaded. Thread-safe. */
public final class Script {
  /** Decides every operation on every algorithm. */
  public static final Script CLAIMS = new Script("claims.lua");

  /** Decides only takes from buckets and fixed windows, but faster. */
  public static final Script TAKES = new Script("takes.lua");

  /** Maintains the list of servers; decides nothing. */
  public static final Script ROSTER = new Script("roster.lua");

  /** Reads and changes tables of entries that expire; decides nothing. */
  public static final Script TABLE = new Script("table.lua");

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

  /**
   * Loads all scripts into a server. Failures are ignored: the first call of a script that is not
   * loaded fails with NOSCRIPT and is repeated with the script's text.
   */
  public static void load(RedisScriptingAsyncCommands<byte[], byte[]> commands) {
    for (Script script : new Script[] {CLAIMS, TAKES, ROSTER, TABLE}) {
      var unused = commands.scriptLoad(script.text);
    }
  }

  /** The text, for a server that has not loaded the script; nobody changes it. */
  public byte[] text() {
    return text;
  }

  /** The SHA-1 of the script in hexadecimal. */
  public String sha() {
    return sha;
  }
}
