package dev.weir.server.rls;

import dev.weir.Claim;
import dev.weir.server.rls.Call.Way;
import java.util.ArrayList;
import java.util.List;

/**
 * All that a request is to be charged, and how it is to be asked for.
 *
 * <p>Limits that are strict are taken all or none; tallies are charged each by itself, whatever
 * becomes of the others; looks and refunds are neither, except that a look at a tally is one that
 * costs nothing. None of these waits for another.
 */
final class Bill {
  /** So many tallies are quicker each by itself: a store asks once for many that are the same. */
  private static final int FEW = 8;

  final List<Slot> slots;
  private final OverLimits known;
  private final long nowMicros;
  private final List<Line> strict = new ArrayList<>(2);
  private final List<Line> tallies = new ArrayList<>(2);
  private final List<Line> looks = new ArrayList<>(0);
  private final List<Line> refunds = new ArrayList<>(0);
  private final List<Call> calls = new ArrayList<>(2);
  private boolean blocked;

  /** Whether any of the tallies is more than a look. */
  private boolean charged;

  Bill(List<Slot> slots, OverLimits known, long nowMicros) {
    this.slots = slots;
    this.known = known;
    this.nowMicros = nowMicros;
  }

  /** Adds the lines of a slot. */
  void add(Slot slot) {
    List<Line> alone = new ArrayList<>(0);
    boolean look = slot.question.isLook();
    for (Line line : slot.lines) {
      if (line.isBlocked()) {
        blocked |= line.isOver() && !line.terms.alone();
      } else if (slot.question.refund()) {
        refunds.add(line);
      } else if (look && !line.tallied) {
        looks.add(line);
      } else if (line.tallied) {
        // Looks among them, so that each sees what those before it have charged, and no more.
        tally(line, look);
      } else {
        (line.terms.alone() ? alone : strict).add(line);
      }
    }
    split(Way.TAKE, alone);
  }

  private void tally(Line line, boolean look) {
    long until = look ? 0 : known.overUntil(line, nowMicros);
    if (until > 0) {
      line.exceeded(until - nowMicros);
    } else {
      tallies.add(line);
      charged |= !look;
    }
  }

  /**
   * @throws RlsRequest.Refused if more would have to be taken at once than a store can
   */
  List<Call> calls() {
    if (strict.size() > Claim.MAX_CLAIMS) {
      throw RlsRequest.tooMany("limits that apply at once", strict.size(), Claim.MAX_CLAIMS);
    }
    split(blocked ? Way.TRY : Way.TAKE, strict);
    Way way = charged ? Way.TAKE : Way.LOOK;
    if (tallies.size() <= FEW) {
      tallies.forEach(line -> calls.add(new Call(way, List.of(line))));
    } else {
      split(way, tallies);
    }
    split(Way.LOOK, looks);
    split(Way.REFUND, refunds);
    return calls;
  }

  private void split(Way way, List<Line> lines) {
    for (int from = 0; from < lines.size(); from += Claim.MAX_CLAIMS) {
      int to = Math.min(lines.size(), from + Claim.MAX_CLAIMS);
      calls.add(new Call(way, lines.subList(from, to)));
    }
  }
}
