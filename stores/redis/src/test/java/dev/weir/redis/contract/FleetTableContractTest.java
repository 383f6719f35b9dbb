package dev.weir.redis.contract;

import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings.Kind;
import dev.weir.shared.fleet.FleetTables;
import dev.weir.testkit.contract.FleetTableContract;
import dev.weir.testkit.redis.Binaries;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables in Redis fulfil the contract, on one server, behind Sentinels and in a cluster. */
@ParameterizedClass
@EnumSource
class FleetTableContractTest extends FleetTableContract {
  private static final List<RedisStore> STORES = new ArrayList<>();
  private static @Nullable RunningRedis redis;
  private static int used;

  private int created;

  @Parameter private Kind kind = Kind.STANDALONE;

  /** Redis is started once for all tests on one kind of it. */
  @BeforeParameterizedClassInvocation
  static void start(Kind kind) {
    RunningRedis started = RunningRedis.start(kind, Binaries.EMBEDDED.get());
    redis = started;
    STORES.add(RedisStore.connect(started.settings()));
    STORES.add(RedisStore.connect(started.settings()));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    STORES.forEach(RedisStore::close);
    STORES.clear();
    if (redis != null) {
      redis.close();
      redis = null;
    }
  }

  @Override
  protected FleetTables tables() {
    return STORES.get(created++ % 2).tables();
  }

  @Override
  protected String unusedName() {
    int number = used++;
    return kind.name().toLowerCase(Locale.ROOT)
        + "-"
        + (char) ('a' + number / 26)
        + (char) ('a' + number % 26);
  }
}
