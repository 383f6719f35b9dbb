package dev.weir.testkit;

import java.nio.file.Files;
import java.nio.file.Path;

/** The root of the repository, found from any of its modules. */
public final class Repository {
  private static final Path ROOT = find(Path.of("").toAbsolutePath());

  private Repository() {}

  /** A file or folder, by its path from the root of the repository. */
  public static Path path(String fromRoot) {
    return ROOT.resolve(fromRoot);
  }

  private static Path find(Path from) {
    for (Path folder = from; folder != null; folder = folder.getParent()) {
      if (Files.isRegularFile(folder.resolve("weir"))
          && Files.isDirectory(folder.resolve("docs"))) {
        return folder;
      }
    }
    throw new IllegalStateException(from + " (expected: a folder of the repository)");
  }
}
