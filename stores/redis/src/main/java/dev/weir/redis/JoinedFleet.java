package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.shared.fleet.FleetTable;
import dev.weir.shared.fleet.FleetTables;
import dev.weir.shared.fleet.Roster;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The roster and the tables of a fleet whose Redis may not be connected yet; until then, every call
 * fails at once. Thread-safe.
 */
final class JoinedFleet implements Roster, FleetTables {
  private static final Logger LOG = System.getLogger(JoinedFleet.class.getName());

  private final Supplier<@Nullable RedisStore> connected;
  private final Supplier<StoreFailure> notConnected;
  private final SharedKeySecret secret;
  private final Executor continuations;

  /**
   * The fleet of a Redis.
   *
   * @param connected the connected Redis; null before there is a connection
   * @param notConnected why there is none
   */
  JoinedFleet(
      Supplier<@Nullable RedisStore> connected,
      Supplier<StoreFailure> notConnected,
      SharedKeySecret secret,
      Executor continuations) {
    this.connected = connected;
    this.notConnected = notConnected;
    this.secret = secret;
    this.continuations = continuations;
  }

  private <T> CompletionStage<T> call(Function<RedisStore, CompletionStage<T>> call) {
    RedisStore store = connected.get();
    return store == null ? CompletableFuture.failedStage(notConnected.get()) : call.apply(store);
  }

  /** An announcement also checks the key secret. */
  @Override
  public CompletionStage<Roll> announce(String server, Duration lasting) {
    return call(
        store ->
            store.roster().announce(server, lasting).thenCompose(roll -> checked(store, roll)));
  }

  private CompletionStage<Roll> checked(RedisStore store, Roll roll) {
    return secret
        .check(store)
        .handleAsync(
            (done, failure) -> {
              if (failure != null) {
                LOG.log(Level.DEBUG, "Failed to check the key secret", failure); // again soon
              }
              return roll;
            },
            continuations);
  }

  @Override
  public CompletionStage<Void> leave(String server) {
    return call(store -> store.roster().leave(server));
  }

  @Override
  public FleetTable table(String name) {
    String checked = FleetTables.checkedName(name);
    return new FleetTable() {
      @Override
      public CompletionStage<Page> put(List<Entry> entries) {
        return call(store -> store.tables().table(checked).put(entries));
      }

      @Override
      public CompletionStage<Page> remove(List<String> names) {
        return call(store -> store.tables().table(checked).remove(names));
      }

      @Override
      public CompletionStage<Page> read(String knownVersion) {
        return call(store -> store.tables().table(checked).read(knownVersion));
      }
    };
  }
}
