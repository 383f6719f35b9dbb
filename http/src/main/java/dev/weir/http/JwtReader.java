package dev.weir.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.Descriptor;
import dev.weir.LimitKey;
import dev.weir.http.FailureBudget.Account;
import dev.weir.http.HttpMeters.Event;
import dev.weir.key.KeySpace;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Tokens to claims, remembering what it has verified.
 *
 * <p>Verdicts are kept under a hash of the token whose key nobody knows, never under the token. The
 * good and the bad are kept apart, so that a flood of forged tokens cannot push out honest ones.
 *
 * <p>Verification is the dear part, and anybody can ask for it. So it is a step of its own, which
 * runs on the threads of {@link Verifications} and only while the client's address has not had too
 * many forged tokens verified. A token that was believed before is verified again whatever the
 * budget: nobody but its owner has it.
 */
final class JwtReader implements AutoCloseable {
  private static final int MAX_VALID = 10_000;
  private static final int MAX_INVALID = 1_000;

  private final JwtSettings settings;
  private final KeySource source;
  private final List<String> claims;
  private final InstantSource clock;
  private final HttpMeters meters;
  private final Verifications verifications;
  private final JwtVerifier verifier;
  private final KeySpace hash = KeySpace.random();
  private final Cache<LimitKey, Verdict> valid = cache(MAX_VALID);
  private final Cache<LimitKey, Verdict> invalid = cache(MAX_INVALID);

  /** No more than may wait and run at a time. */
  private final Map<LimitKey, Waiting> running = new ConcurrentHashMap<>();

  private final Unverified unverified;

  JwtReader(
      JwtSettings settings,
      KeySource source,
      List<String> claims,
      InstantSource clock,
      HttpMeters meters,
      Verifications verifications) {
    this.settings = settings;
    this.source = source;
    this.claims = claims;
    this.clock = clock;
    this.meters = meters;
    this.verifications = verifications;
    this.verifier = new JwtVerifier(settings, claims);
    this.unverified = new Unverified(claims.size());
  }

  private static Cache<LimitKey, Verdict> cache(int most) {
    return Caffeine.newBuilder().maximumSize(most).executor(Runnable::run).build();
  }

  /** A reader by the same keys; it shares the memory if settings and claims are the same. */
  JwtReader with(JwtSettings others, List<String> otherClaims) {
    boolean same = others.equals(settings) && otherClaims.equals(claims);
    return same ? this : new JwtReader(others, source, otherClaims, clock, meters, verifications);
  }

  /** Whether its keys come from there. */
  boolean uses(JwtKeys keys) {
    return settings.keys().equals(keys);
  }

  boolean sharesKeysWith(@Nullable JwtReader other) {
    return other != null && other.source.equals(source);
  }

  boolean awaitKeys(Duration most) {
    return source.await(most);
  }

  void warmUp() {
    KeySet keys = source.current();
    if (keys != null) {
      verifier.warmUp(keys);
    }
  }

  TokenPlace place() {
    return settings.token();
  }

  /**
   * What is known of a token without verifying it; null if it takes that to know. A token {@link
   * Descriptor#UNUSABLE} was spoiled.
   */
  @Nullable Verdict known(@Nullable String token) {
    Verdict first = unverified.atFirstSight(token);
    if (token == null || first != null) {
      return first == null ? null : counted(first);
    }
    KeySet keys = source.current();
    if (keys == null) {
      source.refresh();
      return counted(unverified.withoutKeys());
    }
    Verdict known = remembered(hash.key(token), keys, clock.millis());
    if (known == null) {
      known = unverified.byText(token); // last, as none but signed ones are remembered
    }
    return known == null ? null : counted(known);
  }

  /** Verifies a token on the thread of the caller. */
  Verdict verify(String token, Account account) {
    return counted(verdict(hash.key(token), token, account));
  }

  /**
   * Verifies a token on another thread, and completes there. Requests with the same token wait for
   * the same verification.
   */
  CompletionStage<Verdict> verifyLater(String token, Account account) {
    LimitKey key = hash.key(token);
    boolean believed = wasBelieved(key);
    if (!believed && account.isSpent()) {
      return CompletableFuture.completedStage(counted(unverified.overBudget()));
    }
    Waiting mine = new Waiting(key, token, account, believed);
    Waiting first = running.putIfAbsent(key, mine);
    if (first == null) {
      mine.submit();
    }
    return (first == null ? mine : first).verdict.thenApply(this::counted);
  }

  /** A token that waits for its verification. */
  private final class Waiting implements Runnable {
    private final LimitKey key;
    private final String token;
    private final Account account;

    /** Whether it takes room from its address; one that was believed does not. */
    private final boolean shares;

    private final long sinceMicros = verifications.ticker().micros();
    private final CompletableFuture<Verdict> verdict = new CompletableFuture<>();

    Waiting(LimitKey key, String token, Account account, boolean believed) {
      this.key = key;
      this.token = token;
      this.account = account;
      this.shares = !believed;
    }

    void submit() {
      if (shares && !verifications.shares().tryEnter(account)) {
        running.remove(key);
        verdict.complete(unverified.queueFull());
        return;
      }
      try {
        verifications.threads().execute(this);
      } catch (RejectedExecutionException full) {
        end();
        verdict.complete(unverified.queueFull());
      } catch (Error noThread) {
        end();
        verdict.completeExceptionally(noThread);
        throw noThread;
      }
    }

    @Override
    public void run() {
      try {
        boolean late = verifications.isLate(sinceMicros);
        Verdict made = late ? unverified.queueFull() : verdict(key, token, account);
        end(); // what comes now finds it remembered
        verdict.complete(made);
      } catch (RuntimeException | Error e) {
        end();
        verdict.completeExceptionally(e);
        throw e;
      }
    }

    private void end() {
      running.remove(key);
      if (shares) {
        verifications.shares().leave(account);
      }
    }
  }

  private @Nullable Verdict remembered(LimitKey key, KeySet keys, long nowMillis) {
    Verdict known = valid.getIfPresent(key);
    if (known == null) {
      known = invalid.getIfPresent(key);
    }
    if (known == null || !known.holds(keys, nowMillis)) {
      return null;
    }
    meters.count(Event.JWT_CACHE_HIT);
    return known;
  }

  private boolean wasBelieved(LimitKey key) {
    return valid.getIfPresent(key) != null;
  }

  private Verdict verdict(LimitKey key, String token, Account account) {
    KeySet keys = source.current();
    if (keys == null) {
      return unverified.withoutKeys();
    }
    long nowMillis = clock.millis();
    Verdict known = remembered(key, keys, nowMillis); // by now, perhaps
    if (known != null) {
      return known;
    }
    boolean believed = wasBelieved(key);
    if (!believed && !account.tryTake()) {
      return unverified.overBudget();
    }
    meters.count(Event.JWT_CACHE_MISS);
    Verdict verdict = verifier.verify(token, keys, nowMillis);
    if (!believed) {
      account.settle(verdict.price());
    }
    if (verdict.failure() == null) {
      valid.put(key, verdict);
    } else {
      valid.invalidate(key);
      invalid.put(key, verdict);
    }
    if (verdict.failure() == Event.JWT_UNKNOWN_KEY) {
      source.refresh();
    }
    return verdict;
  }

  /** Each request counts, also one that was told by another's verification. */
  private Verdict counted(Verdict verdict) {
    if (verdict.failure() != null) {
      meters.count(verdict.failure());
    }
    return verdict;
  }

  @Override
  public void close() {
    source.close();
  }
}
