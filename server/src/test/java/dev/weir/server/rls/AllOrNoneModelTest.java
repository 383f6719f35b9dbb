package dev.weir.server.rls;

import static dev.weir.domain.TestDomains.at;
import static dev.weir.domain.TestDomains.entries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Store;
import dev.weir.domain.DomainBook;
import dev.weir.domain.TestDomains;
import dev.weir.domain.Unit;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.rule.RuleBook;
import dev.weir.server.rls.RlsReply.Status;
import dev.weir.server.rls.RlsRequest.Instead;
import dev.weir.server.rls.RlsRequest.Question;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.Seeds;
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

  /** So many callers at a time; every so many requests one goes, and a new one comes. */
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

  /** What is asked of one kind, by whom. */
  private record Asked(Kind kind, String caller, Instead instead, boolean overridden, long hits) {
    long limit() {
      return overridden ? instead.requestsPerUnit() : kind.limit;
    }

    Role role(boolean allQuotas) {
      Role own = overridden ? Role.REQUIRED : kind.role;
      return allQuotas && own == Role.REQUIRED ? Role.QUOTA : own;
    }

    /** That nothing may pass, and so nothing is counted either. */
    boolean isClosed() {
      return limit() == 0 && !(kind.tallied && overridden);
    }

    String counter() {
      return kind.key + " " + caller;
    }

    Question question() {
      return new Question(entries(kind.key, caller), overridden ? instead : null, hits, false);
    }
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void aRequestIsChargedAsTheModelSays(boolean later, boolean allQuotas) {
    Seeds.run(random -> run(random, later, allQuotas, false));
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void soItIsBesideLimitsThatAreAlwaysCharged(boolean later, boolean allQuotas) {
    Seeds.run(random -> run(random, later, allQuotas, true));
  }

  private static void run(
      SplittableRandom random, boolean later, boolean allQuotas, boolean mixed) {
    ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
    KeySpace keys = KeySpace.random();
    MemoryStore memory = new MemoryStore(100_000, ticker);
    RlsEngine engine =
        new RlsEngine(
            later ? answeringLater(memory) : memory,
            null,
            keys,
            ticker,
            new RlsSettings(false, allQuotas, null, false),
            (domain, metric, rule, told) -> {},
            (rule, outcome) -> {});
    RlsRules rules = RlsRules.of(domains(mixed), RuleBook.of(List.of(), keys), keys);
    Map<String, Long> counts = new HashMap<>();
    int passed = 0;
    for (int i = 0; i < REQUESTS; i++) {
      List<Asked> asked = asked(random, i / (2 * CALLERS), mixed);
      RlsRequest request = new RlsRequest("shop", asked.stream().map(Asked::question).toList());
      RlsReply reply = engine.decide(rules, request).toCompletableFuture().join();
      check(asked, reply, counts, allQuotas);
      passed += reply.over() ? 0 : 1;
    }
    assertThat(passed).isBetween(REQUESTS / 20, REQUESTS * 19 / 20);
  }

  private static List<Asked> asked(SplittableRandom random, int first, boolean mixed) {
    List<Kind> left = new ArrayList<>(mixed ? MIXED : STRICT);
    List<Asked> asked = new ArrayList<>();
    int size = 1 + random.nextInt(4);
    for (int i = 0; i < size; i++) {
      Kind kind = left.remove(random.nextInt(left.size()));
      Instead instead = new Instead(random.nextInt(7), Unit.YEAR);
      String caller = "caller" + (first + random.nextInt(CALLERS));
      // Where others are charged each by itself, so is a limit that the client brings along.
      boolean overridden = random.nextInt(8) == 0 && (!mixed || kind.tallied);
      asked.add(new Asked(kind, caller, instead, overridden, random.nextInt(4)));
    }
    return asked;
  }

  private static void check(
      List<Asked> asked, RlsReply reply, Map<String, Long> counts, boolean allQuotas) {
    boolean denied = false;
    int quotas = 0;
    int exhausted = 0;
    for (Asked one : asked) {
      boolean room = hasRoom(one, counts);
      switch (one.role(allQuotas)) {
        case REQUIRED -> denied |= !room;
        case QUOTA -> {
          quotas++;
          exhausted += room ? 0 : 1;
        }
        case SHADOW -> quotas += allQuotas ? 1 : 0; // never exhausted
        case EACH -> throw new AssertionError("not of this domain");
      }
    }
    denied |= quotas > 0 && quotas == exhausted;
    assertThat(reply.over()).as("%s with %s", asked, counts).isEqualTo(denied);
    for (int i = 0; i < asked.size(); i++) {
      Asked one = asked.get(i);
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

  /** A look finds room as long as no more is counted than the limit allows. */
  private static boolean hasRoom(Asked one, Map<String, Long> counts) {
    long count = counts.getOrDefault(one.counter(), 0L);
    return !one.isClosed() && count + one.hits <= one.limit();
  }

  private static DomainBook domains(boolean mixed) {
    TestDomains.At[] places =
        (mixed ? MIXED : STRICT)
            .stream().map(AllOrNoneModelTest::place).toArray(TestDomains.At[]::new);
    return mixed ? TestDomains.book("shop", places) : TestDomains.allOrNone("shop", places);
  }

  private static TestDomains.At place(Kind kind) {
    TestDomains.At place = at(kind.key);
    TestDomains.At limited =
        kind.limit == 0
            ? place.closed(Unit.YEAR, !kind.tallied)
            : kind.tallied
                ? place.per(kind.limit, Unit.YEAR)
                : place.strict(Limit.fixedWindow(kind.limit, Unit.YEAR.duration()));
    return switch (kind.role) {
      case QUOTA -> limited.quota();
      case SHADOW -> limited.shadow();
      case REQUIRED, EACH -> limited;
    };
  }

  /** The same store, of which every answer is on its way. */
  private static Store answeringLater(Store store) {
    return new UniformStore() {
      @Override
      protected Answer ask(Operation operation, List<Claim> claims) {
        return Answer.later(CompletableFuture.completedStage(operation.on(store, claims).join()));
      }
    };
  }
}
