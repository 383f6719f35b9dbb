package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.Limit;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A state read without a lock is whole, or the reader is told that it is not.
 *
 * <p>One thread writes the state three times: level n, time n and a log of n numbers in the n-th
 * write. The other reads the first word, then the state in the order opposite to the writes, and
 * asks whether anything has changed.
 *
 * <p>Broken by: an {@code unchanged} that does not compare the first word, or compares it before
 * the state is read (no acquire fence); a lock that does not mark that word; a write that becomes
 * visible before the mark or after the unlock.
 *
 * <pre>
 * level, at, log
 *  n,  n,  n     one of the four states
 * -1, -1, -1     the reader met the writer and knows it
 * anything else  a state that never was
 * </pre>
 */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "before all writes")
@Outcome(
    id = {"1, 1, 1", "2, 2, 2"},
    expect = ACCEPTABLE_INTERESTING,
    desc = "between two writes")
@Outcome(id = "3, 3, 3", expect = ACCEPTABLE, desc = "after all writes")
@Outcome(id = "-1, -1, -1", expect = ACCEPTABLE_INTERESTING, desc = "met the writer and knows")
@Outcome(expect = FORBIDDEN, desc = "a state that never was")
@State
public class RowReadTest {
  private static final Limit LIMIT = Given.perHour(1);
  private static final Object[] KEPT = new Object[4];

  static {
    for (int n = 0; n < KEPT.length; n++) {
      KEPT[n] = Kept.of(LIMIT, new long[n]);
    }
  }

  private final Rows rows = Given.rows(0);

  @Actor
  public void write() {
    for (int n = 1; n <= 3; n++) {
      long meta = rows.lock(Given.SLOT);
      rows.write(Given.SLOT, n, n, KEPT[n]);
      rows.unlock(Given.SLOT, Meta.next(meta, LIMIT));
    }
  }

  @Actor
  public void read(III_Result result) {
    long meta = rows.meta(Given.SLOT);
    boolean free = Meta.isFree(meta);
    long[] log = Kept.log(Objects.requireNonNull(rows.kept(Given.SLOT)));
    long at = rows.at(Given.SLOT);
    long level = rows.level(Given.SLOT);
    boolean whole = free && rows.unchanged(Given.SLOT, meta);
    result.r1 = whole ? (int) level : -1;
    result.r2 = whole ? (int) at : -1;
    result.r3 = whole ? log.length : -1;
  }
}
