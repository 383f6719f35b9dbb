package dev.weir.testkit.contract;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.model.RandomRequests;
import dev.weir.testkit.model.ReferenceModel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/** The store answers like the reference model, in every field, to random operations. */
abstract class ModelContract extends ContractGroup {
  private static final int MAX_SHOWN = 10;

  private final ReferenceModel model = new ReferenceModel();
  private final Deque<String> latest = new ArrayDeque<>();

  ModelContract(StoreContract contract) {
    super(contract);
  }

  @Test
  void randomRequestsWithChangingLimitsMatchTheModel() {
    Seeds.run(
        random -> {
          RandomRequests requests = RandomRequests.ofAllKinds(random, keys);
          Decision last = peek();
          for (int i = 0; i < contract.randomOperations(); i++) {
            ticker.advanceMicros(requests.advanceMicros(last));
            last = compare(i, requests.claims(), random.nextInt(100));
          }
        });
  }

  /**
   * The windows and debts outlive the test, because a store may drop a counter that is as if never
   * used, and with it the last time that it has to wait for.
   */
  @Test
  void randomRequestsWithASteppingClockMatchTheModel() {
    Seeds.run(
        random -> {
          RandomRequests requests = RandomRequests.thatNeverExpire(random, keys);
          for (int i = 0; i < contract.randomOperations() / 2; i++) {
            ticker.setMicros(START_MICROS + random.nextLong(RandomRequests.NEVER_EXPIRE_MICROS));
            compare(i, requests.claims(), takePeekOrCharge(random));
          }
        });
  }

  private static int takePeekOrCharge(SplittableRandom random) {
    return random.nextInt(80);
  }

  private Decision compare(int index, List<Claim> claims, int kind) {
    long now = ticker.micros();
    String name;
    Decision actual;
    Decision expected;
    if (kind < 60) {
      name = "take";
      actual = store.take(claims).join();
      expected = model.take(claims, now);
    } else if (kind < 70) {
      name = "peek";
      actual = store.peek(claims).join();
      expected = model.peek(claims, now);
    } else if (kind < 80) {
      name = "charge";
      actual = store.charge(claims).join();
      expected = model.charge(claims, now);
    } else if (kind < 98) {
      name = "refund";
      actual = store.refund(claims).join();
      expected = model.refund(claims, now);
    } else {
      name = "reset";
      actual = store.reset(claims).join();
      expected = model.reset(claims, now);
    }
    recordOperation("at " + now + " " + name + " " + claims + "\n  " + describe(actual));
    if (!actual.equals(expected)) {
      String model = "; the model answers\n  " + describe(expected);
      throw new AssertionError("operation " + index + " differs" + model + "\n" + history());
    }
    return actual;
  }

  private static String describe(Decision decision) {
    return decision + " " + decision.each();
  }

  private void recordOperation(String operation) {
    latest.addLast(operation);
    if (latest.size() > MAX_SHOWN) {
      latest.removeFirst();
    }
  }

  private String history() {
    StringJoiner lines = new StringJoiner("\n", "last operations:\n", "");
    latest.forEach(lines::add);
    return lines.toString();
  }
}
