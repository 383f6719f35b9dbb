package dev.weir.server.decide;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.key.KeySpace;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Concurrency permits as texts, which clients keep and send back to release them. Safe for use by
 * any number of threads.
 *
 * <p>A permit text holds the claims themselves, so that any server of a fleet can release it and
 * none has to remember it; except that a permit that was not counted by the store is known only to
 * the server that granted it. Clients cannot forge or change a permit: after the claims comes an
 * authentication code under the secret that the servers on one store share.
 */
public final class Permits {
  private static final byte VERSION = 3;
  private static final String PURPOSE = "permit";

  /**
   * The version, the holder, the server, the claims in local mode, and the claims that only that
   * server knows; the last two as a bit for each claim.
   */
  private static final int HEADER_BYTES = 1 + 4 * Long.BYTES;

  private static final int BYTES_PER_CLAIM = 4 * Long.BYTES;
  private static final int MAX_CLAIMS = Long.SIZE;

  private final KeySpace keys;
  private final long server;

  /**
   * The permits of one server.
   *
   * @param keys has the secret by which servers on one store accept each other's permits
   * @param server a number that no other server has
   */
  public Permits(KeySpace keys, long server) {
    this.keys = keys;
    this.server = server;
  }

  /**
   * The claims of a permit.
   *
   * @param known the claims that this server can release
   * @param elsewhere whether there are more, which only the server that granted it can release
   */
  record Held(List<Claim> known, boolean elsewhere) {}

  /** The permit for the concurrency claims of a request, if there are any. */
  Optional<String> of(List<Claim> claims, Decision decision) {
    List<Claim> held = new ArrayList<>();
    long local = 0;
    long own = 0;
    for (int i = 0; i < claims.size() && held.size() < MAX_CLAIMS; i++) {
      Claim claim = claims.get(i);
      if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
        long bit = 1L << held.size();
        boolean alone = decision.each().get(i).basis() == Basis.LOCAL;
        local |= claim.mode().isLocal() ? bit : 0;
        own |= claim.mode().isLocal() || alone ? bit : 0;
        held.add(claim);
      }
    }
    return held.isEmpty() ? Optional.empty() : Optional.of(text(held, local, own));
  }

  private String text(List<Claim> held, long local, long own) {
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + BYTES_PER_CLAIM * held.size());
    out.put(VERSION).putLong(held.get(0).holder()).putLong(server).putLong(local).putLong(own);
    for (Claim claim : held) {
      out.putLong(claim.key().high()).putLong(claim.key().low());
      out.putLong(claim.limit().permits()).putLong(claim.limit().windowMicros());
    }
    byte[] code = keys.code(PURPOSE, out.array());
    byte[] whole =
        ByteBuffer.allocate(out.capacity() + code.length).put(out.array()).put(code).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
  }

  /**
   * Parses a permit.
   *
   * @throws IllegalArgumentException if no server with this secret granted it
   */
  Held parse(String text) {
    try {
      ByteBuffer in = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
      int bytes = in.remaining() - KeySpace.CODE_BYTES;
      int claims = (bytes - HEADER_BYTES) / BYTES_PER_CLAIM;
      boolean whole = bytes == HEADER_BYTES + claims * BYTES_PER_CLAIM;
      if (whole && claims >= 1 && claims <= MAX_CLAIMS && isOurs(in.array(), bytes)) {
        in.limit(bytes);
        return in.get() == VERSION ? held(in, claims) : refuse();
      }
    } catch (IllegalArgumentException e) {
      // Reported below, without repeating what may be a permit of another client.
    }
    return refuse();
  }

  private static Held refuse() {
    throw new IllegalArgumentException("permit: unknown (expected: the permit of a decision)");
  }

  private boolean isOurs(byte[] permit, int bytes) {
    byte[] message = Arrays.copyOf(permit, bytes);
    byte[] code = Arrays.copyOfRange(permit, bytes, permit.length);
    return keys.isCode(PURPOSE, message, code);
  }

  private Held held(ByteBuffer in, int count) {
    long holder = in.getLong();
    boolean here = in.getLong() == server;
    long local = in.getLong();
    long own = in.getLong();
    List<Claim> known = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean isLocal = (local >>> i & 1) == 1;
      Claim claim = claim(in, holder, isLocal ? Mode.local() : Mode.STRICT);
      if (here || !isLocal) {
        known.add(claim);
      }
    }
    return new Held(known, !here && own != 0);
  }

  private static Claim claim(ByteBuffer in, long holder, Mode mode) {
    LimitKey key = new LimitKey(in.getLong(), in.getLong());
    long permits = in.getLong();
    long micros = in.getLong();
    Duration expiry = Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
    Limit limit = Limit.concurrent(permits, expiry);
    return new Claim(limit, key, limit.cost(), holder, mode);
  }
}
