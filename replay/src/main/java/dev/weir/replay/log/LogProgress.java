package dev.weir.replay.log;

import java.util.OptionalLong;

/**
 * How far logs have been read.
 *
 * @param lines how many lines have been read, bad ones included
 * @param bytes how many bytes have been read of the files as they are, compressed or not
 * @param totalBytes the size of all files; empty if standard input is among them
 */
public record LogProgress(long lines, long bytes, OptionalLong totalBytes) {}
