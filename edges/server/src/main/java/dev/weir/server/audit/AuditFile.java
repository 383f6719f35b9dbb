package dev.weir.server.audit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that lines are appended to, and that only its owner can read if it is created here.
 *
 * <p>Before each line the path is looked at: if the file was renamed or deleted, as when logs are
 * rotated, a new one is created there.
 */
final class AuditFile implements AuditSink {
  private static final Set<OpenOption> APPENDING =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

  private final Path path;
  private FileChannel channel;

  /** What identifies the open file; null where files have no identity. */
  private @Nullable Object key;

  /** Whether the file ends within a line: one that was not written whole. */
  private boolean torn;

  /**
   * Opens a file, which is created if it does not exist.
   *
   * @throws IOException if it cannot be written
   */
  AuditFile(Path path) throws IOException {
    this.path = path;
    this.channel = open(path);
    try {
      look();
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static FileChannel open(Path path) throws IOException {
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] ownerOnly =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    return FileChannel.open(path, APPENDING, ownerOnly);
  }

  /** Finds out which file is open, and whether its last line is whole. */
  private void look() throws IOException {
    key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    torn = false;
    long size = channel.size();
    if (size > 0 && Files.isReadable(path)) {
      try (InputStream in = Files.newInputStream(path)) {
        in.skipNBytes(size - 1);
        torn = in.read() != '\n';
      }
    }
  }

  @Override
  public void write(String line) throws IOException {
    if (!channel.isOpen() || isRotated()) {
      reopen();
    }
    ByteBuffer bytes =
        ByteBuffer.wrap(((torn ? "\n" : "") + line + "\n").getBytes(StandardCharsets.US_ASCII));
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      torn = false;
    } finally {
      torn |= bytes.hasRemaining() && bytes.position() > 0;
    }
    if (Files.isRegularFile(path)) {
      channel.force(false);
    }
  }

  private boolean isRotated() throws IOException {
    try {
      Object now = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return !Objects.equals(now, key);
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  private void reopen() throws IOException {
    FileChannel rotated = channel;
    channel = open(path);
    rotated.close();
    look();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** Why a file cannot be written, in words. */
  static String reason(Path path, IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such directory";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    String message = String.valueOf(e.getMessage());
    String prefix = path + ": ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }
}
