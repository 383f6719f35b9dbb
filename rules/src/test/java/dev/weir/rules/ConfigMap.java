package dev.weir.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A mounted ConfigMap: {@code rules.yaml -> ..data/rules.yaml}, {@code ..data -> ..version}, of
 * which the second link is replaced by renaming, as the kubelet does.
 */
public final class ConfigMap {
  private final Path mount;
  private int versions;

  public ConfigMap(Path mount) {
    this.mount = mount;
  }

  public void swap(String text) throws IOException {
    Path data = mount.resolve("..data");
    Path old = Files.exists(data) ? data.toRealPath() : null;
    Path version = Files.createDirectory(mount.resolve("..version-" + ++versions));
    Files.writeString(version.resolve("rules.yaml"), text);
    Path link = Files.createSymbolicLink(mount.resolve("..data_tmp"), version.getFileName());
    Files.move(link, data, StandardCopyOption.ATOMIC_MOVE);
    if (old == null) {
      Files.createSymbolicLink(mount.resolve("rules.yaml"), Path.of("..data", "rules.yaml"));
    } else {
      Files.delete(old.resolve("rules.yaml"));
      Files.delete(old);
    }
  }
}
