package dev.weir.server.access;

import dev.weir.server.access.Operator.Role;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The sessions of people who logged in with a token. Thread-safe.
 *
 * <p>They are in the memory of this process only: they end with it, and so whenever its tokens
 * change. Identifiers are random, and only their hashes are kept, so that a dump of the heap does
 * not hold what a browser presents.
 */
public final class Sessions {
  /** The maximum number of sessions; a new one replaces the one that is idle for longest. */
  public static final int MAX = 256;

  /** The time without a request after which a session ends. */
  public static final Duration MAX_IDLE = Duration.ofMinutes(30);

  /** The time after which a session ends in any case: that of a long shift. */
  public static final Duration MAX_AGE = Duration.ofHours(12);

  private static final int ID_BYTES = 32;

  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Session> byHash = new HashMap<>();

  /** A person who logged in. */
  record Login(String name, Role role) {}

  private static final class Session {
    final Login login;
    final Instant since;
    Instant used;

    Session(Login login, Instant now) {
      this.login = login;
      this.since = now;
      this.used = now;
    }

    boolean hasEnded(Instant now) {
      return !now.isBefore(used.plus(MAX_IDLE)) || !now.isBefore(since.plus(MAX_AGE));
    }
  }

  /** No sessions yet; they end by this clock. */
  public Sessions(InstantSource clock) {
    this.clock = clock;
  }

  /** Begins a session, and returns its identifier, which is secret. */
  synchronized String begin(Login login) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    Instant now = clock.instant();
    byHash.values().removeIf(session -> session.hasEnded(now));
    if (byHash.size() >= MAX) {
      removeLongestIdle();
    }
    byHash.put(hash(id), new Session(login, now));
    return id;
  }

  private void removeLongestIdle() {
    byHash.entrySet().stream()
        .min(Map.Entry.comparingByValue((one, other) -> one.used.compareTo(other.used)))
        .ifPresent(oldest -> byHash.remove(oldest.getKey()));
  }

  /** Who began the session with this identifier, which counts as a use; empty if there is none. */
  synchronized Optional<Login> find(String id) {
    String hash = hash(id);
    Session session = byHash.get(hash);
    if (session == null) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    if (session.hasEnded(now)) {
      byHash.remove(hash);
      return Optional.empty();
    }
    session.used = now;
    return Optional.of(session.login);
  }

  /** Ends the session with this identifier, if there is one. */
  synchronized void end(String id) {
    byHash.remove(hash(id));
  }

  private static String hash(String id) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
