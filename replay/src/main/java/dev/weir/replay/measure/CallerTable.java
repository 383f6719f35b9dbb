package dev.weir.replay.measure;

import java.util.Arrays;

/**
 * What each caller did: requests, how many in a minute, and how many were denied in each run.
 *
 * <p>An open-addressed table of primitive numbers, at most 64 bytes for each caller with three
 * runs. Beyond a maximum it keeps a sample of the callers, chosen by their hashes. Not safe for use
 * by several threads.
 */
public final class CallerTable {
  private static final int INITIAL_SLOTS = 1_024;
  private static final long MINUTE_MICROS = 60_000_000L;

  private static final int REQUESTS = 0;
  private static final int MINUTE = 1;
  private static final int IN_MINUTE = 2;
  private static final int ACTIVE_MINUTES = 3;
  private static final int PEAK = 4;
  private static final int DENIED = 5;

  private final int stride;
  private final int runs;
  private final long maxCallers;
  private long[] hashes = new long[INITIAL_SLOTS];
  private int[] cells;
  private int size;
  private long sampleMask;

  /** An empty table for so many runs, of at most so many callers. */
  public CallerTable(int runs, long maxCallers) {
    this.runs = runs;
    this.stride = DENIED + runs;
    this.maxCallers = maxCallers;
    this.cells = new int[INITIAL_SLOTS * stride];
  }

  /** Counts a request of a caller. Hashes are never 0. */
  public void addRequest(long hash, long micros) {
    if (!Hashes.isSampled(hash, sampleMask)) {
      return;
    }
    int slot = find(hash);
    if (hashes[slot] == 0) {
      if (3L * (size + 1) > 2L * hashes.length) {
        makeRoom();
        if (!Hashes.isSampled(hash, sampleMask)) {
          return;
        }
        slot = find(hash);
      }
      hashes[slot] = hash;
      size++;
    }
    int at = slot * stride;
    int minute = (int) (micros / MINUTE_MICROS) + 1; // 0 is none
    cells[at + REQUESTS]++;
    if (cells[at + MINUTE] != minute) {
      cells[at + MINUTE] = minute;
      cells[at + IN_MINUTE] = 0;
      cells[at + ACTIVE_MINUTES]++;
    }
    int inMinute = ++cells[at + IN_MINUTE];
    if (inMinute > cells[at + PEAK]) {
      cells[at + PEAK] = inMinute;
    }
  }

  /** Counts a denial of a caller whose request was added before. */
  public void addDenied(long hash, int run) {
    int slot = find(hash);
    if (hashes[slot] != 0) {
      cells[slot * stride + DENIED + run]++;
    }
  }

  private int find(long hash) {
    int mask = hashes.length - 1;
    int slot = (int) (hash ^ hash >>> 32) & mask;
    while (hashes[slot] != 0 && hashes[slot] != hash) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void makeRoom() {
    long[] oldHashes = hashes;
    int[] oldCells = cells;
    boolean full = size >= maxCallers;
    sampleMask = full ? 2 * sampleMask + 1 : sampleMask;
    int slots = full ? oldHashes.length : 2 * oldHashes.length;
    hashes = new long[slots];
    cells = new int[Math.multiplyExact(slots, stride)];
    size = 0;
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldHashes[i] != 0 && Hashes.isSampled(oldHashes[i], sampleMask)) {
        int slot = find(oldHashes[i]);
        hashes[slot] = oldHashes[i];
        System.arraycopy(oldCells, i * stride, cells, slot * stride, stride);
        size++;
      }
    }
  }

  /** How many callers there are, in the sample. */
  public int size() {
    return size;
  }

  /** Which share of the callers is in the table: one in so many. */
  public int sampledOneIn() {
    return (int) (sampleMask + 1);
  }

  /** The usual rates of all callers, in requests a minute, sorted. */
  public float[] usualRates() {
    float[] rates = new float[size];
    int next = 0;
    for (int slot = 0; slot < hashes.length; slot++) {
      if (hashes[slot] != 0) {
        rates[next++] = (float) new Caller(slot).usualPerMinute();
      }
    }
    Arrays.sort(rates);
    return rates;
  }

  /** Goes through all callers of whom any request was denied in a run. */
  public void forEachDenied(int run, Visitor visitor) {
    if (run < 0 || run >= runs) {
      throw new IndexOutOfBoundsException(run);
    }
    for (int slot = 0; slot < hashes.length; slot++) {
      if (hashes[slot] != 0 && cells[slot * stride + DENIED + run] > 0) {
        visitor.visit(new Caller(slot));
      }
    }
  }

  /** Is shown callers. */
  public interface Visitor {
    /** Called for each caller. */
    void visit(Caller caller);
  }

  /** One caller; valid until the table changes. */
  public final class Caller {
    private final int slot;

    private Caller(int slot) {
      this.slot = slot;
    }

    /** The hash of the caller. */
    public long hash() {
      return hashes[slot];
    }

    /** How many requests it made. */
    public int requests() {
      return cells[slot * stride + REQUESTS];
    }

    /** The most that it made in a minute. */
    public int peakPerMinute() {
      return cells[slot * stride + PEAK];
    }

    /** Its requests in a minute, over the minutes in which it made any. */
    public double usualPerMinute() {
      return (double) requests() / cells[slot * stride + ACTIVE_MINUTES];
    }

    /** How many of its requests were denied in a run. */
    public int denied(int run) {
      return cells[slot * stride + DENIED + run];
    }
  }
}
