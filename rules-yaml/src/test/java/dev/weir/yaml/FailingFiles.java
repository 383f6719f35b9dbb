package dev.weir.yaml;

import java.io.IOException;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files that are read, except when they are not. */
final class FailingFiles extends RuleFiles {
  @Nullable Error whileLooking;
  @Nullable Throwable whileReading;
  @Nullable Error whileLoading;
  @Nullable Error whileTelling;

  FailingFiles(Path path) {
    super(path);
  }

  @Override
  Fingerprint fingerprint() {
    if (whileLooking != null) {
      throw whileLooking;
    }
    return super.fingerprint();
  }

  @Override
  public List<Source> read() throws IOException {
    if (whileReading instanceof IOException e) {
      throw e;
    }
    if (whileReading instanceof Error e) {
      throw e;
    }
    Error error = whileLoading;
    return error == null ? super.read() : failing(error);
  }

  private static List<Source> failing(Error error) {
    return new AbstractList<>() {
      @Override
      public Source get(int index) {
        throw error;
      }

      @Override
      public int size() {
        return 1;
      }
    };
  }

  @Override
  public String toString() {
    if (whileTelling != null) {
      throw whileTelling;
    }
    return super.toString();
  }
}
