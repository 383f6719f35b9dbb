package dev.weir.server.log;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A file that lines are appended to. When it was renamed or removed, as programs that rotate logs
 * do, a new one is created at its path before the next lines are written; no signal is needed. Used
 * by one thread.
 */
final class LogFile implements LineTarget {
  private static final Logger LOG = System.getLogger(LogFile.class.getName());

  private final Path path;
  private FileChannel channel;
  private @Nullable Object identity;
  private boolean reported;

  private LogFile(Path path) throws IOException {
    this.path = path;
    this.channel = open(path);
    this.identity = identity(path);
  }

  /**
   * Opens a file, which is created if it does not exist.
   *
   * @throws IOException if it cannot be written
   */
  static LogFile open(String path) throws IOException {
    return new LogFile(Path.of(path));
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /**
   * What tells a file from others, whatever their names; null where the system has no such thing.
   */
  private static @Nullable Object identity(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  @Override
  public void write(ByteBuffer lines) throws IOException {
    if (isGone()) {
      reopen();
    }
    while (lines.hasRemaining()) {
      channel.write(lines);
    }
  }

  private boolean isGone() {
    try {
      Object now = identity(path);
      return now != null && !now.equals(identity);
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      return false; // its folder cannot be read at the moment; the open file still can be written
    }
  }

  /** Creates the file again; until that is possible, lines go on into the one that was renamed. */
  private void reopen() {
    try {
      FileChannel former = channel;
      channel = open(path);
      former.close(); // before what may fail, so that no file stays open
      identity = identity(path);
      reported = false;
    } catch (IOException e) {
      if (!reported) {
        reported = true;
        LOG.log(Level.WARNING, "Cannot create " + path + " again: " + e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
