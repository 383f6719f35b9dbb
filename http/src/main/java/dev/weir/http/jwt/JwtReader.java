package dev.weir.http.jwt;

import dev.weir.Descriptor;
import dev.weir.LimitKey;
import dev.weir.http.HttpMeters;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.jwt.FailureBudget.Account;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Turns tokens into claims, and caches the results. Thread-safe.
 *
 * <p>Verification is expensive, and any client can cause it. So it is a separate step, which runs
 * on the threads of a {@link VerificationPool} and only while the client address has failure budget
 * left. A token that was accepted before is verified again whatever the budget: only its owner has
 * it.
 */
public final class JwtReader implements AutoCloseable {
  private final JwtSettings settings;
  private final KeySource source;
  private final List<String> claims;
  private final InstantSource clock;
  private final HttpMeters meters;
  private final VerificationPool pool;
  private final JwtVerifier verifier;
  private final TokenCache cache = new TokenCache();

  /** Has at most as many tokens as the pool queues and runs. */
  private final Map<LimitKey, Verification> pending = new ConcurrentHashMap<>();

  private final UnverifiedResults unverified;

  JwtReader(
      JwtSettings settings,
      KeySource source,
      List<String> claims,
      InstantSource clock,
      HttpMeters meters,
      VerificationPool pool) {
    this.settings = settings;
    this.source = source;
    this.claims = claims;
    this.clock = clock;
    this.meters = meters;
    this.pool = pool;
    this.verifier = new JwtVerifier(settings, claims);
    this.unverified = new UnverifiedResults(claims.size());
  }

  /**
   * Opens a reader with the keys that the settings name.
   *
   * @param claims the names of the claims to read
   * @param executor fetches keys from a URL; null for a thread owned by the reader
   * @throws IllegalArgumentException if the keys are in a file that has none now
   */
  public static JwtReader open(
      JwtSettings settings,
      List<String> claims,
      InstantSource clock,
      HttpMeters meters,
      @Nullable ScheduledExecutorService executor,
      VerificationPool pool) {
    KeySource source = KeySource.of(settings.keys(), clock, meters, executor);
    return new JwtReader(settings, source, claims, clock, meters, pool);
  }

  /** A reader with the same keys: this one, cache included, if settings and claims are equal. */
  public JwtReader reconfigured(JwtSettings others, List<String> otherClaims) {
    boolean same = others.equals(settings) && otherClaims.equals(claims);
    return same ? this : new JwtReader(others, source, otherClaims, clock, meters, pool);
  }

  /** Whether the keys of this reader are configured like these. */
  public boolean usesKeys(JwtKeys keys) {
    return settings.keys().equals(keys);
  }

  /** Whether another reader has the same source of keys. */
  public boolean sharesKeysWith(@Nullable JwtReader other) {
    return other != null && other.source.equals(source);
  }

  /** Waits for the first keys, but no longer than the timeout; returns whether there are keys. */
  public boolean awaitKeys(Duration timeout) {
    return source.await(timeout);
  }

  /** Verifies invalid tokens on the calling thread to load the code, if there are keys. */
  public void warmUp() {
    KeySet keys = source.current();
    if (keys != null) {
      verifier.warmUp(keys);
    }
  }

  /** Where requests carry their token. */
  public TokenLocation tokenLocation() {
    return settings.token();
  }

  /**
   * The result for a token if it is known without verifying it; null if the token must be verified.
   *
   * @param token null if the request has none, {@link Descriptor#UNUSABLE} if it is spoiled
   */
  public @Nullable VerifiedToken lookUp(@Nullable String token) {
    VerifiedToken early = unverified.byPresence(token);
    if (token == null || early != null) {
      return early == null ? null : counted(early);
    }
    KeySet keys = source.current();
    if (keys == null) {
      source.refresh();
      return counted(unverified.withoutKeys());
    }
    VerifiedToken known = cached(cache.key(token), keys, clock.millis());
    if (known == null) {
      known = unverified.byText(token); // last, as only signed tokens are cached
    }
    return known == null ? null : counted(known);
  }

  /**
   * Verifies a token on the calling thread.
   *
   * @param address of the client; null if it has none
   * @param gateway whether clients may share the address because no proxy is trusted
   */
  public VerifiedToken verify(String token, @Nullable String address, boolean gateway) {
    Account account = pool.failures().account(address, gateway);
    return counted(verifyWithin(account, cache.key(token), token));
  }

  /**
   * Verifies a token on a thread of the pool, and completes the stage there. Requests with the same
   * token share one verification.
   *
   * @param address of the client; null if it has none
   * @param gateway whether clients may share the address because no proxy is trusted
   */
  public CompletionStage<VerifiedToken> verifyAsync(
      String token, @Nullable String address, boolean gateway) {
    Account account = pool.failures().account(address, gateway);
    LimitKey key = cache.key(token);
    boolean acceptedBefore = cache.wasAccepted(key);
    if (!acceptedBefore && account.isExhausted()) {
      return CompletableFuture.completedStage(counted(unverified.overBudget()));
    }
    Verification mine = new Verification(key, token, account, acceptedBefore);
    Verification first = pending.putIfAbsent(key, mine);
    if (first == null) {
      mine.submit();
    }
    return (first == null ? mine : first).result.thenApply(this::counted);
  }

  /** A verification that is queued or running. */
  private final class Verification implements Runnable {
    private final LimitKey key;
    private final String token;
    private final Account account;

    /** Whether the bulkhead applies; a token that was accepted before is exempt. */
    private final boolean limited;

    private final long queuedMicros = pool.nowMicros();
    private final CompletableFuture<VerifiedToken> result = new CompletableFuture<>();

    Verification(LimitKey key, String token, Account account, boolean acceptedBefore) {
      this.key = key;
      this.token = token;
      this.account = account;
      this.limited = !acceptedBefore;
    }

    void submit() {
      if (limited && !pool.bulkhead().tryAcquire(account)) {
        pending.remove(key);
        result.complete(unverified.queueFull());
        return;
      }
      try {
        pool.executor().execute(this);
      } catch (RejectedExecutionException full) {
        end();
        result.complete(unverified.queueFull());
      } catch (Error noThread) {
        end();
        result.completeExceptionally(noThread);
        throw noThread;
      }
    }

    @Override
    public void run() {
      try {
        boolean late = pool.isLate(queuedMicros);
        VerifiedToken verified = late ? unverified.queueFull() : verifyWithin(account, key, token);
        end(); // requests from now on find the result in the cache
        result.complete(verified);
      } catch (RuntimeException | Error e) {
        end();
        result.completeExceptionally(e);
        throw e;
      }
    }

    private void end() {
      pending.remove(key);
      if (limited) {
        pool.bulkhead().release(account);
      }
    }
  }

  private @Nullable VerifiedToken cached(LimitKey key, KeySet keys, long nowMillis) {
    VerifiedToken known = cache.get(key, keys, nowMillis);
    if (known != null) {
      meters.count(Event.JWT_CACHE_HIT);
    }
    return known;
  }

  private VerifiedToken verifyWithin(Account account, LimitKey key, String token) {
    KeySet keys = source.current();
    if (keys == null) {
      return unverified.withoutKeys();
    }
    long nowMillis = clock.millis();
    VerifiedToken known = cached(key, keys, nowMillis); // another request may have verified it
    if (known != null) {
      return known;
    }
    boolean acceptedBefore = cache.wasAccepted(key);
    if (!acceptedBefore && !account.tryCharge()) {
      return unverified.overBudget();
    }
    meters.count(Event.JWT_CACHE_MISS);
    VerifiedToken result = verifier.verify(token, keys, nowMillis);
    if (!acceptedBefore) {
      account.settle(result.cost());
    }
    cache.put(key, result);
    if (result.failure() == Event.JWT_UNKNOWN_KEY) {
      source.refresh();
    }
    return result;
  }

  /** Counts a failure for each request, also for requests that share a verification. */
  private VerifiedToken counted(VerifiedToken result) {
    if (result.failure() != null) {
      meters.count(result.failure());
    }
    return result;
  }

  /** Stops loading keys. */
  @Override
  public void close() {
    source.close();
  }
}
