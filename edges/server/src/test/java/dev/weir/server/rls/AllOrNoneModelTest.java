package dev.weir.server.rls;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.rules.domain.TestDomains.entries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.domain.DescriptorRules;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.rls.RlsReply.Status;
import dev.weir.server.rls.RlsRequest.DescriptorQuery;
import dev.weir.server.rls.RlsRequest.LimitOverride;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random requests that are charged all or none, against a model that is as simple as the rule;
 * alone, and together with limits that are charged whatever becomes of the request.
 */
class AllOrNoneModelTest {
  private static final int REQUESTS = 20_000;

  /** Callers at a time; after every 40 requests one of them is replaced by a new one. */
  private static final int CALLERS = 20;

  /**
   * @param tallied whether it is charged whatever becomes of the request
   */
  private record Kind(String key, long limit, Role role, boolean tallied) {}

  private static final List<Kind> STRICT =
      List.of(
          new Kind("three", 3, Role.REQUIRED, false),
          new Kind("five", 5, Role.REQUIRED, false),
          new Kind("closed", 0, Role.REQUIRED, false),
          new Kind("quota1", 1, Role.QUOTA, false),
          new Kind("quota4", 4, Role.QUOTA, false),
          new Kind("no-quota", 0, Role.QUOTA, false),
          new Kind("dark", 2, Role.SHADOW, false));

  private static final List<Kind> TALLIED =
      List.of(
          new Kind("tally", 4, Role.REQUIRED, true),
          new Kind("closed-tally", 0, Role.REQUIRED, true),
          new Kind("quota-tally2", 2, Role.QUOTA, true),
          new Kind("quota-tally5", 5, Role.QUOTA, true),
          new Kind("no-quota-tally", 0, Role.QUOTA, true),
          new Kind("dark-tally", 2, Role.SHADOW, true));

  private static final List<Kind> MIXED = Stream.concat(STRICT.stream(), TALLIED.stream()).toList();

  /** A query of one caller for one kind of limit. */
  private record Query(
      Kind kind, String caller, LimitOverride override, boolean overridden, long hits) {
    long limit() {
      return overridden ? override.requestsPerUnit() : kind.limit;
    }

    Role role(boolean allQuotas) {
      Role own = overridden ? Role.REQUIRED : kind.role;
      return allQuotas && own == Role.REQUIRED ? Role.QUOTA : own;
    }

    /** Whether nothing may pass, and so nothing is counted either. */
    boolean isClosed() {
      return limit() == 0 && !(kind.tallied && overridden);
    }

    String counter() {
      return kind.key + " " + caller;
    }

    DescriptorQuery descriptorQuery() {
      return new DescriptorQuery(
          entries(kind.key, caller), overridden ? override : null, hits, false);
    }
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void requestsAreChargedAsInTheModel(boolean later, boolean allQuotas) {
    Seeds.run(random -> run(random, later, allQuotas, false));
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void requestsWithTalliesAreChargedAsInTheModel(boolean later, boolean allQuotas) {
    Seeds.run(random -> run(random, later, allQuotas, true));
  }

  private static void run(
      SplittableRandom random, boolean later, boolean allQuotas, boolean mixed) {
    ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
    KeySpace keys = KeySpace.random();
    MemoryStore memory = new MemoryStore(100_000, ticker);
    RlsEngine engine =
        new RlsEngine(
            new Limiter(later ? answeringLater(memory) : memory, (rule, outcome, subject) -> {}),
            keys,
            ticker,
            new RlsSettings(false, allQuotas, null, false),
            (domain, metric, rule, counter, report) -> {});
    DescriptorRules rules = DescriptorRules.of(domains(mixed), RuleBook.of(List.of(), keys));
    Map<String, Long> counts = new HashMap<>();
    int passed = 0;
    for (int i = 0; i < REQUESTS; i++) {
      List<Query> queries = queries(random, i / (2 * CALLERS), mixed);
      RlsRequest request =
          new RlsRequest("shop", queries.stream().map(Query::descriptorQuery).toList());
      RlsReply reply = engine.decide(rules, request).toCompletableFuture().join();
      check(queries, reply, counts, allQuotas);
      passed += reply.over() ? 0 : 1;
    }
    assertThat(passed).isBetween(REQUESTS / 20, REQUESTS * 19 / 20);
  }

  private static List<Query> queries(SplittableRandom random, int first, boolean mixed) {
    List<Kind> left = new ArrayList<>(mixed ? MIXED : STRICT);
    List<Query> queries = new ArrayList<>();
    int size = 1 + random.nextInt(4);
    for (int i = 0; i < size; i++) {
      Kind kind = left.remove(random.nextInt(left.size()));
      LimitOverride override = new LimitOverride(random.nextInt(7), Unit.YEAR);
      String caller = "caller" + (first + random.nextInt(CALLERS));
      // Where other limits are tallies, so is an override of the client.
      boolean overridden = random.nextInt(8) == 0 && (!mixed || kind.tallied);
      queries.add(new Query(kind, caller, override, overridden, random.nextInt(4)));
    }
    return queries;
  }

  private static void check(
      List<Query> queries, RlsReply reply, Map<String, Long> counts, boolean allQuotas) {
    boolean denied = false;
    int quotas = 0;
    int exhausted = 0;
    for (Query one : queries) {
      boolean room = hasRoom(one, counts);
      switch (one.role(allQuotas)) {
        case REQUIRED -> denied |= !room;
        case QUOTA -> {
          quotas++;
          exhausted += room ? 0 : 1;
        }
        case SHADOW -> quotas += allQuotas ? 1 : 0; // never exhausted
        case INDEPENDENT -> throw new AssertionError("not of this domain");
      }
    }
    denied |= quotas > 0 && quotas == exhausted;
    assertThat(reply.over()).as("%s with %s", queries, counts).isEqualTo(denied);
    for (int i = 0; i < queries.size(); i++) {
      Query one = queries.get(i);
      boolean room = hasRoom(one, counts);
      if (one.kind.tallied ? !one.isClosed() : !denied && room) {
        counts.merge(one.counter(), one.hits, Long::sum);
      }
      long left = one.limit() - counts.getOrDefault(one.counter(), 0L);
      Status status = reply.statuses().get(i);
      assertThat(status.over()).as("%s", one).isEqualTo(!room && one.role(false) != Role.SHADOW);
      assertThat(status.remaining()).as("%s", one).isEqualTo(room ? left : 0);
    }
  }

  /** A peek finds room as long as the count does not exceed the limit. */
  private static boolean hasRoom(Query one, Map<String, Long> counts) {
    long count = counts.getOrDefault(one.counter(), 0L);
    return !one.isClosed() && count + one.hits <= one.limit();
  }

  private static DomainBook domains(boolean mixed) {
    TestDomains.At[] limits =
        (mixed ? MIXED : STRICT)
            .stream().map(AllOrNoneModelTest::limit).toArray(TestDomains.At[]::new);
    return mixed ? TestDomains.book("shop", limits) : TestDomains.allOrNone("shop", limits);
  }

  private static TestDomains.At limit(Kind kind) {
    TestDomains.At limit = at(kind.key);
    TestDomains.At limited =
        kind.limit == 0
            ? limit.closed(Unit.YEAR, !kind.tallied)
            : kind.tallied
                ? limit.per(kind.limit, Unit.YEAR)
                : limit.strict(Limit.fixedWindow(kind.limit, Unit.YEAR.duration()));
    return switch (kind.role) {
      case QUOTA -> limited.quota();
      case SHADOW -> limited.shadow();
      case REQUIRED, INDEPENDENT -> limited;
    };
  }

  /** A store that answers asynchronously. */
  private static Store answeringLater(Store store) {
    return new Store() {
      @Override
      public Answer apply(Operation operation, List<Claim> claims) {
        return Answer.later(
            CompletableFuture.completedStage(store.apply(operation, claims).join()));
      }
    };
  }
}
