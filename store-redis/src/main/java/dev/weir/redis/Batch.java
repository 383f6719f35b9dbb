package dev.weir.redis;

import dev.weir.Claim;
import dev.weir.LimitKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Requests that travel together, all about counters in one slot. */
final class Batch {
  private final List<Pending> requests;
  private final List<Question> questions = new ArrayList<>();
  private final Numbered<LimitKey> counters = new Numbered<>();

  Batch(List<Pending> requests) {
    this.requests = requests;
    Map<LimitKey, Question> last = new HashMap<>();
    for (Pending request : requests) {
      Question before = last.get(request.claims.get(0).key());
      if (before != null && before.isLike(request)) {
        before.requests.add(request);
        continue;
      }
      Question question = new Question(request);
      questions.add(question);
      for (Claim claim : request.claims) {
        last.put(claim.key(), question);
        counters.number(claim.key());
      }
    }
  }

  List<Pending> requests() {
    return requests;
  }

  List<Question> questions() {
    return questions;
  }

  /** The number of a counter, from 1. */
  int number(LimitKey counter) {
    return counters.number(counter);
  }

  byte[][] names(Keys keys) {
    return counters.things().stream().map(keys::name).toArray(byte[][]::new);
  }

  /** Whether all are takes from plain counters, of each counter such that are all the same. */
  boolean isPlain() {
    if (questions.size() != counters.things().size()) {
      return false;
    }
    for (Question question : questions) {
      if (!question.isPlain()) {
        return false;
      }
    }
    return true;
  }
}
