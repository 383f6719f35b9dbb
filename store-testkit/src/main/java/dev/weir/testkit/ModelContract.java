package dev.weir.testkit;

import dev.weir.Claim;
import dev.weir.Decision;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/** The store answers what the model answers, in every field, whatever is asked. */
abstract class ModelContract extends ContractGroup {
  private static final int SHOWN = 10;

  private final ReferenceModel model = new ReferenceModel();
  private final Deque<String> latest = new ArrayDeque<>();

  ModelContract(StoreContract contract) {
    super(contract);
  }

  @Test
  void randomRequestsWithLimitsThatChangeDifferNowhere() {
    Seeds.run(
        random -> {
          RandomRequests requests = RandomRequests.ofAllKinds(random, keys);
          Decision last = look();
          for (int i = 0; i < contract.randomOperations(); i++) {
            ticker.advanceMicros(requests.advanceMicros(last));
            last = compare(i, requests.claims(), random.nextInt(100));
          }
        });
  }

  /**
   * Windows and debts that outlive the test: a store may drop a counter that is as if never used,
   * and would then have no last time to wait for.
   */
  @Test
  void randomRequestsWhileTimeStepsBackAndForthDifferNowhere() {
    Seeds.run(
        random -> {
          RandomRequests requests = RandomRequests.thatNeverExpire(random, keys);
          for (int i = 0; i < contract.randomOperations() / 2; i++) {
            ticker.setMicros(START_MICROS + random.nextLong(RandomRequests.NEVER_EXPIRE_MICROS));
            compare(i, requests.claims(), takeLookOrCharge(random));
          }
        });
  }

  private static int takeLookOrCharge(SplittableRandom random) {
    return random.nextInt(80);
  }

  private Decision compare(int index, List<Claim> claims, int kind) {
    long now = ticker.micros();
    String name;
    Decision got;
    Decision due;
    if (kind < 60) {
      name = "take";
      got = store.take(claims).join();
      due = model.take(claims, now);
    } else if (kind < 70) {
      name = "look";
      got = store.look(claims).join();
      due = model.look(claims, now);
    } else if (kind < 80) {
      name = "charge";
      got = store.charge(claims).join();
      due = model.charge(claims, now);
    } else if (kind < 98) {
      name = "refund";
      got = store.refund(claims).join();
      due = model.refund(claims, now);
    } else {
      name = "forget";
      got = store.forget(claims).join();
      due = model.forget(claims, now);
    }
    note("at " + now + " " + name + " " + claims + "\n  " + told(got));
    if (!got.equals(due)) {
      throw new AssertionError(
          "operation " + index + " differs; the model says\n  " + told(due) + "\n" + shown());
    }
    return got;
  }

  private static String told(Decision decision) {
    return decision + " " + decision.each();
  }

  private void note(String operation) {
    latest.addLast(operation);
    if (latest.size() > SHOWN) {
      latest.removeFirst();
    }
  }

  private String shown() {
    StringJoiner lines = new StringJoiner("\n", "last operations:\n", "");
    latest.forEach(lines::add);
    return lines.toString();
  }
}
