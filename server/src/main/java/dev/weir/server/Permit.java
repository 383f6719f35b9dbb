package dev.weir.server;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A place among those in flight, as text that a client keeps and brings back to release it.
 *
 * <p>It holds the claims themselves, so that any server of a fleet can release it and none has to
 * remember it; except that a place in {@link Mode.Kind#LOCAL} mode is known only to the server that
 * gave it. Nobody can make one up: the keys in it are hashes under a secret.
 */
final class Permit {
  private static final byte VERSION = 2;

  /** The version, the holder, and which of the claims are local, a bit for each. */
  private static final int BYTES_BEFORE = 1 + 2 * Long.BYTES;

  private static final int BYTES_PER_CLAIM = 4 * Long.BYTES;
  private static final int MOST_CLAIMS = Long.SIZE;

  private Permit() {}

  /** The permit for the claims of a request that are held, if there are any. */
  static Optional<String> of(List<Claim> claims) {
    List<Claim> held =
        claims.stream()
            .filter(claim -> claim.limit().algorithm() == Algorithm.CONCURRENCY)
            .limit(MOST_CLAIMS)
            .toList();
    if (held.isEmpty()) {
      return Optional.empty();
    }
    ByteBuffer out = ByteBuffer.allocate(BYTES_BEFORE + BYTES_PER_CLAIM * held.size());
    out.put(VERSION).putLong(held.get(0).permit()).putLong(local(held));
    for (Claim claim : held) {
      out.putLong(claim.key().high()).putLong(claim.key().low());
      out.putLong(claim.limit().permits()).putLong(claim.limit().windowMicros());
    }
    return Optional.of(Base64.getUrlEncoder().withoutPadding().encodeToString(out.array()));
  }

  private static long local(List<Claim> held) {
    long local = 0;
    for (int i = 0; i < held.size(); i++) {
      local |= held.get(i).mode().isLocal() ? 1L << i : 0;
    }
    return local;
  }

  /**
   * @throws IllegalArgumentException if it is not a permit
   */
  static List<Claim> parse(String text) {
    try {
      ByteBuffer in = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
      int claims = (in.remaining() - BYTES_BEFORE) / BYTES_PER_CLAIM;
      boolean whole = in.remaining() == BYTES_BEFORE + claims * BYTES_PER_CLAIM;
      if (whole && claims >= 1 && claims <= MOST_CLAIMS && in.get() == VERSION) {
        return claims(in, in.getLong(), in.getLong(), claims);
      }
    } catch (IllegalArgumentException e) {
      // Told below, without echoing what may be somebody's.
    }
    throw new IllegalArgumentException("permit: not one (expected: the permit of a decision)");
  }

  private static List<Claim> claims(ByteBuffer in, long permit, long local, int count) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      LimitKey key = new LimitKey(in.getLong(), in.getLong());
      long permits = in.getLong();
      long micros = in.getLong();
      if (micros < 1 || micros > Limit.MAX_WINDOW.toMillis() * 1_000) {
        throw new IllegalArgumentException("expiry");
      }
      Duration expiry = Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
      Limit limit = Limit.concurrent(permits, expiry);
      Mode mode = (local >>> i & 1) == 1 ? Mode.local() : Mode.STRICT;
      claims.add(new Claim(limit, key, limit.cost(), permit, mode));
    }
    return claims;
  }
}
