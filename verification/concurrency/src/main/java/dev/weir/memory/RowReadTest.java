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
 * A state read without a lock is consistent, or the reader detects that it is not.
 *
 * <p>One thread writes the state three times: level n, time n and a log of n numbers in the n-th
 * write. The other reads the first word, then the state in the order opposite to the writes, and
 * checks whether anything has changed.
 *
 * <p>Broken by: an {@code unchanged} that does not compare the first word, or compares it before
 * the state is read (no acquire fence); a lock that does not mark that word; a write that becomes
 * visible before the mark or after the unlock.
 *
 * <pre>
 * level, at, log
 *  n,  n,  n     one of the four states
 * -1, -1, -1     the reader detected the writer
 * anything else  a state that never existed
 * </pre>
 */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "before all writes")
@Outcome(
    id = {"1, 1, 1", "2, 2, 2"},
    expect = ACCEPTABLE_INTERESTING,
    desc = "between two writes")
@Outcome(id = "3, 3, 3", expect = ACCEPTABLE, desc = "after all writes")
@Outcome(id = "-1, -1, -1", expect = ACCEPTABLE_INTERESTING, desc = "detected the writer")
@Outcome(expect = FORBIDDEN, desc = "a state that never existed")
@State
public class RowReadTest {
  private static final Limit LIMIT = Fixtures.perHour(1);
  private static final Object[] KEPT = new Object[4];

  static {
    for (int n = 0; n < KEPT.length; n++) {
      KEPT[n] = LimitAndLog.of(LIMIT, new long[n]);
    }
  }

  private final Rows rows = Fixtures.rows(0);

  @Actor
  public void write() {
    for (int n = 1; n <= 3; n++) {
      long meta = rows.lock(Fixtures.SLOT);
      rows.write(Fixtures.SLOT, n, n, KEPT[n]);
      rows.unlock(Fixtures.SLOT, Meta.next(meta, LIMIT));
    }
  }

  @Actor
  public void read(III_Result result) {
    long meta = rows.meta(Fixtures.SLOT);
    boolean free = Meta.isFree(meta);
    long[] log = LimitAndLog.log(Objects.requireNonNull(rows.kept(Fixtures.SLOT)));
    long at = rows.at(Fixtures.SLOT);
    long level = rows.level(Fixtures.SLOT);
    boolean consistent = free && rows.unchanged(Fixtures.SLOT, meta);
    result.r1 = consistent ? (int) level : -1;
    result.r2 = consistent ? (int) at : -1;
    result.r3 = consistent ? log.length : -1;
  }
}
