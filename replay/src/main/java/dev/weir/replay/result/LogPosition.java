package dev.weir.replay.result;

/**
 * A line of a log.
 *
 * @param file the name of the file
 * @param line its number, from 1
 * @param micros when the request arrived, in microseconds since 1970
 */
public record LogPosition(String file, long line, long micros) {}
