package dev.weir.rules.source;

import dev.weir.rules.yaml.RulesText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules files that throw on demand. */
public final class FailingFiles extends RuleFiles {
  @Nullable public Error onFingerprint;
  @Nullable public Throwable onRead;
  @Nullable public Error onLoad;
  @Nullable public Error onToString;

  public FailingFiles(Path path) {
    super(path);
  }

  @Override
  Fingerprint fingerprint() {
    if (onFingerprint != null) {
      throw onFingerprint;
    }
    return super.fingerprint();
  }

  @Override
  public List<RulesText> read() throws IOException {
    if (onRead instanceof IOException e) {
      throw e;
    }
    if (onRead instanceof Error e) {
      throw e;
    }
    Error error = onLoad;
    return error == null ? super.read() : failing(error);
  }

  private static List<RulesText> failing(Error error) {
    return new AbstractList<>() {
      @Override
      public RulesText get(int index) {
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
    if (onToString != null) {
      throw onToString;
    }
    return super.toString();
  }
}
