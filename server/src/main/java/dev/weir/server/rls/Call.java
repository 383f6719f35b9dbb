package dev.weir.server.rls;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** What is asked of a store at once. No line of it is {@linkplain Line#isBlocked blocked}. */
record Call(Way way, List<Line> lines) {
  /** How to ask. */
  enum Way {
    /** All or none. */
    TAKE,
    /** What {@link #TAKE} would say; the request is denied whatever that is. */
    TRY,
    /** How things stand: over is only what has counted more than it allows. */
    LOOK,
    REFUND,
    /** Charged although there is no room. */
    CHARGE;

    /** Whether what the store says about room is what the client is told. */
    boolean isJudged() {
      return this == TAKE || this == TRY || this == LOOK;
    }
  }

  Answer ask(Store store) {
    List<Claim> claims = new ArrayList<>(lines.size());
    for (Line line : lines) {
      claims.add(Objects.requireNonNull(line.claim));
    }
    return switch (way) {
      case TAKE -> ask(claims, store::take);
      case TRY, LOOK -> ask(claims, store::look);
      case REFUND -> store.refund(claims);
      case CHARGE -> store.charge(claims);
    };
  }

  /** All tallies on one counter are under the same limit, the one that is never reached. */
  private Answer ask(List<Claim> claims, Function<List<Claim>, Answer> store) {
    CommonLimits common = lines.get(0).tallied ? null : CommonLimits.of(claims);
    return common == null ? store.apply(claims) : common.ask(store);
  }

  /** Whether each line is charged by itself, whatever becomes of the others. */
  boolean isTally() {
    return way == Way.TAKE && lines.get(0).tallied;
  }

  Call as(Way other) {
    return new Call(other, lines);
  }
}
