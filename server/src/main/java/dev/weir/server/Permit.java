package dev.weir.server;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
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
 * remember it. Nobody can make one up: the keys in it are hashes under a secret.
 */
final class Permit {
  private static final byte VERSION = 1;
  private static final int BYTES_PER_CLAIM = 4 * Long.BYTES;
  private static final int MOST_CLAIMS = 64;

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
    ByteBuffer out = ByteBuffer.allocate(1 + Long.BYTES + BYTES_PER_CLAIM * held.size());
    out.put(VERSION).putLong(held.get(0).permit());
    for (Claim claim : held) {
      out.putLong(claim.key().high()).putLong(claim.key().low());
      out.putLong(claim.limit().permits()).putLong(claim.limit().windowMicros());
    }
    return Optional.of(Base64.getUrlEncoder().withoutPadding().encodeToString(out.array()));
  }

  /**
   * @throws IllegalArgumentException if it is not a permit
   */
  static List<Claim> parse(String text) {
    try {
      ByteBuffer in = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
      int claims = (in.remaining() - 1 - Long.BYTES) / BYTES_PER_CLAIM;
      boolean whole = in.remaining() == 1 + Long.BYTES + claims * BYTES_PER_CLAIM;
      if (whole && claims >= 1 && claims <= MOST_CLAIMS && in.get() == VERSION) {
        return claims(in, in.getLong(), claims);
      }
    } catch (IllegalArgumentException e) {
      // Told below, without echoing what may be somebody's.
    }
    throw new IllegalArgumentException("permit: not one (expected: the permit of a decision)");
  }

  private static List<Claim> claims(ByteBuffer in, long permit, int count) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      LimitKey key = new LimitKey(in.getLong(), in.getLong());
      long permits = in.getLong();
      long micros = in.getLong();
      if (micros < 1 || micros > Limit.MAX_WINDOW.toMillis() * 1_000) {
        throw new IllegalArgumentException("expiry");
      }
      Duration expiry = Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
      claims.add(Claim.hold(Limit.concurrent(permits, expiry), key, permit));
    }
    return claims;
  }
}
