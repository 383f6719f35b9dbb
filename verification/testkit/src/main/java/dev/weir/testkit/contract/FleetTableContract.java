package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.shared.fleet.FleetTable;
import dev.weir.shared.fleet.FleetTable.Entry;
import dev.weir.shared.fleet.FleetTable.Page;
import dev.weir.shared.fleet.FleetTableFull;
import dev.weir.shared.fleet.FleetTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * The contract of the tables that the servers of a fleet share. A test of an implementation extends
 * this class and supplies the tables of two servers. They run on a real clock, on which the tests
 * wait for conditions.
 *
 * <p>JUnit runs each test on one thread; the concurrent test starts threads of its own.
 */
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
public abstract class FleetTableContract {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private FleetTable table = dummy();
  private FleetTable other = dummy();

  /** The tables of one server; each call is for another server of the same fleet. */
  protected abstract FleetTables tables();

  /** A name of a table that no test has used before. */
  protected abstract String unusedName();

  private static FleetTable dummy() {
    return FleetTables.inProcess(() -> 0).table("dummy");
  }

  @BeforeEach
  void createTables() {
    String name = unusedName();
    table = tables().table(name);
    other = tables().table(name);
  }

  private static Page join(CompletionStage<Page> page) {
    return page.toCompletableFuture().join();
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  private static List<String> names(Page page) {
    return page.entries().orElseThrow().stream().map(Entry::name).toList();
  }

  private static List<Entry> entries(Page page) {
    return page.entries().orElseThrow();
  }

  private Page readAll() {
    return join(other.read("no version"));
  }

  private static void await(String expected, BooleanSupplier condition) throws Exception {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as(expected).isLessThan(PATIENCE.toNanos());
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  @Test
  void unwrittenTableHasNeitherVersionNorEntries() {
    Page page = readAll();
    assertThat(page.version()).isEqualTo(FleetTable.NO_VERSION);
    assertThat(entries(page)).isEmpty();
    assertThat(join(table.read(FleetTable.NO_VERSION)).entries()).isEmpty();
  }

  @Test
  void entriesAreSharedByAllServers() {
    Page put = join(table.put("b", bytes(300), HOUR));
    assertThat(names(put)).containsExactly("b");
    Page both = join(other.put("a", new byte[0], Duration.ofDays(7)));
    assertThat(names(both)).containsExactly("a", "b");
    Page read = join(table.read(put.version()));
    assertThat(read.version()).isEqualTo(both.version());
    assertThat(entries(read).get(0).value()).isEmpty();
    assertThat(entries(read).get(1).value()).isEqualTo(bytes(300));
    assertThat(entries(read).get(0).lasting())
        .isBetween(Duration.ofDays(7).minus(PATIENCE), Duration.ofDays(7));
    assertThat(entries(read).get(1).lasting()).isBetween(HOUR.minus(PATIENCE), HOUR);
  }

  @Test
  void knownVersionHasNoEntries() {
    Page put = join(table.put("a", bytes(3), HOUR));
    assertThat(join(other.read(put.version())))
        .isEqualTo(new Page(put.version(), Optional.empty()));
  }

  @Test
  void everyChangeIsAnotherVersion() {
    Set<String> versions = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      assertThat(versions.add(join(table.put("a", bytes(3), HOUR)).version())).isTrue();
      assertThat(versions.add(join(other.put("a", bytes(3), HOUR)).version())).isTrue();
      assertThat(versions.add(join(table.remove(List.of("a"))).version())).isTrue();
    }
    assertThat(versions).doesNotContain(FleetTable.NO_VERSION);
  }

  @Test
  void putReplacesTheEntryOfTheSameName() {
    join(table.put("a", bytes(300), Duration.ofDays(2)));
    join(other.put("a", bytes(2), HOUR));
    assertThat(entries(readAll())).hasSize(1);
    assertThat(entries(readAll()).get(0).value()).isEqualTo(bytes(2));
    assertThat(entries(readAll()).get(0).lasting()).isLessThanOrEqualTo(HOUR);
  }

  @Test
  void lastOfSeveralEntriesWithOneNameCounts() {
    List<Entry> same = List.of(new Entry("a", bytes(9), HOUR), new Entry("a", bytes(2), HOUR));
    assertThat(entries(join(table.put(same))).get(0).value()).isEqualTo(bytes(2));
    fillBytes(other);
  }

  @Test
  void removedEntryIsGoneForAll() {
    join(table.put(List.of(new Entry("a", bytes(1), HOUR), new Entry("b", bytes(1), HOUR))));
    assertThat(names(join(other.remove(List.of("a", "unknown"))))).containsExactly("b");
    assertThat(names(readAll())).containsExactly("b");
    assertThat(names(join(other.remove(List.of("b"))))).isEmpty();
    assertThat(names(join(table.put("c", bytes(1), HOUR)))).containsExactly("c");
  }

  @Test
  void entryExpiresByItself() throws Exception {
    Duration brief = Duration.ofMillis(300);
    long start = System.nanoTime();
    String version =
        join(table.put(
                List.of(new Entry("brief", bytes(1), brief), new Entry("b", bytes(1), HOUR))))
            .version();
    await("only what lasts", () -> names(readAll()).equals(List.of("b")));
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .as("not before its time")
        .isGreaterThanOrEqualTo(brief.minusMillis(5)); // clocks tick differently
    assertThat(readAll().version()).isEqualTo(version);
    assertThat(names(join(table.put("c", bytes(1), HOUR)))).containsExactly("b", "c");
  }

  @Test
  void lifetimeShownIsTheRest() throws Exception {
    join(table.put("a", bytes(1), HOUR));
    Duration first = entries(readAll()).get(0).lasting();
    await("less", () -> entries(readAll()).get(0).lasting().compareTo(first) < 0);
  }

  @Test
  void replacingExtendsTheLifetime() throws Exception {
    join(table.put(List.of(entry("a", Duration.ofMillis(50)), entry("b", Duration.ofMillis(50)))));
    join(table.put("a", bytes(1), HOUR));
    await("b is gone", () -> names(readAll()).equals(List.of("a")));
  }

  private static Entry entry(String name, Duration lasting) {
    return new Entry(name, bytes(1), lasting);
  }

  @Test
  void tableHoldsAThousandEntriesAndRefusesMore() throws Exception {
    List<Entry> all = new ArrayList<>();
    IntStream.range(1, FleetTable.MAX_ENTRIES).forEach(i -> all.add(entry("n" + i, HOUR)));
    join(table.put(all));
    Page full = join(table.put(List.of(entry("brief", Duration.ofMillis(100)))));
    assertThat(entries(full)).hasSize(FleetTable.MAX_ENTRIES);
    assertRefused(table, entry("more", HOUR), entry("n1", HOUR));
    assertThat(readAll().version()).as("unchanged").isEqualTo(full.version());
    assertThat(entries(join(table.put("n1", bytes(7), HOUR)))).as("replaced").isNotEmpty();
    await("an expired entry makes room", () -> isPut(entry("more", HOUR)));
    assertRefused(other, entry("another", HOUR));
    join(other.remove(List.of("n1", "n2")));
    assertThat(entries(join(table.put(List.of(entry("x", HOUR), entry("y", HOUR))))))
        .hasSize(FleetTable.MAX_ENTRIES);
  }

  private static void assertRefused(FleetTable table, Entry... entries) {
    assertThatThrownBy(() -> join(table.put(List.of(entries))))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(FleetTableFull.class)
        .hasMessageMatching(
            "table: \\d+ entries of \\d+ bytes \\(expected: at most 1000 entries of 8388608"
                + " bytes\\)");
  }

  private boolean isPut(Entry entry) {
    try {
      join(table.put(List.of(entry)));
      return true;
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(FleetTableFull.class);
      return false;
    }
  }

  @Test
  void bytesOfAllValuesAreBounded() throws Exception {
    join(table.put("brief", bytes(FleetTable.MAX_VALUE_BYTES), Duration.ofMillis(100)));
    await("expired", () -> names(readAll()).isEmpty());
    fillBytes(table);
    join(table.put("v0", bytes(FleetTable.MAX_VALUE_BYTES - 1), HOUR));
    join(table.put("more", bytes(1), HOUR));
    assertRefused(other, entry("another", HOUR));
    join(other.remove(List.of("v1")));
    join(table.put("v1", bytes(FleetTable.MAX_VALUE_BYTES), HOUR));
    assertRefused(other, entry("another", HOUR));
  }

  /** Fills the table to the last byte. */
  private static void fillBytes(FleetTable table) {
    List<Entry> all = new ArrayList<>();
    for (int i = 0; i < FleetTable.MAX_TABLE_BYTES / FleetTable.MAX_VALUE_BYTES; i++) {
      all.add(new Entry("v" + i, bytes(FleetTable.MAX_VALUE_BYTES), HOUR));
    }
    join(table.remove(List.of("a")));
    assertThat(names(join(table.put(all)))).hasSize(all.size());
    assertRefused(table, entry("more", HOUR));
  }

  @Test
  void namesMayBeAnyPrintableText() {
    List<String> names = List.of(" ", "1version", "a b", "{x}", "~".repeat(100));
    names.forEach(name -> join(table.put(name, bytes(1), HOUR)));
    assertThat(names(readAll())).containsExactlyElementsOf(names);
  }

  @Test
  void tablesOfOtherNamesAreSeparate() {
    FleetTable separate = tables().table(unusedName());
    join(table.put("a", bytes(1), HOUR));
    assertThat(join(separate.read(FleetTable.NO_VERSION)).entries()).isEmpty();
    assertThatThrownBy(() -> tables().table("Actions 1"))
        .hasMessage("table: Actions 1 (expected: lower-case letters and dashes, 31 at most)");
  }

  @Test
  void changesOfManyThreadsAreAllKept() {
    Set<String> versions = ConcurrentHashMap.newKeySet();
    ParallelThreads.run(
        thread -> {
          for (int i = 0; i < 5; i++) {
            FleetTable mine = thread % 2 == 0 ? table : other;
            versions.add(join(mine.put("t" + thread + "." + i, bytes(thread), HOUR)).version());
          }
        });
    assertThat(entries(readAll())).hasSize(ParallelThreads.THREADS * 5);
    assertThat(versions).hasSize(ParallelThreads.THREADS * 5);
  }
}
