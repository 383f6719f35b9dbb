package dev.weir.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of the docs lead to files and sections that exist: at night nobody wants to search. */
class DocLinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```");

  @Test
  void everyLinkLeadsToAFileAndASectionThatExist() throws IOException {
    List<String> broken = new ArrayList<>();
    int checked = 0;
    List<Path> pages;
    try (Stream<Path> docs = Files.list(Repository.path("docs"))) {
      pages = new ArrayList<>(docs.filter(file -> file.toString().endsWith(".md")).toList());
    }
    pages.add(Repository.path("README.md"));
    for (Path page : pages) {
      for (String link : links(page)) {
        checked++;
        if (!exists(page, link)) {
          broken.add(page.getFileName() + ": " + link);
        }
      }
    }
    assertThat(checked).isGreaterThan(500);
    assertThat(broken).isEmpty();
  }

  private static String text(Path page) throws IOException {
    return CODE.matcher(Files.readString(page)).replaceAll("");
  }

  private static List<String> links(Path page) throws IOException {
    return LINK.matcher(text(page))
        .results()
        .map(found -> found.group(1))
        .filter(link -> !link.startsWith("http"))
        .toList();
  }

  private static boolean exists(Path page, String link) throws IOException {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    boolean isPage = target.toString().endsWith(".md");
    return hash < 0 || !isPage || anchors(target).contains(link.substring(hash + 1));
  }

  /** The anchors that sections have where repositories are read. */
  private static Set<String> anchors(Path page) throws IOException {
    return HEADING
        .matcher(text(page))
        .results()
        .map(
            found ->
                found
                    .group(1)
                    .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\w\\- ]", "")
                    .replace(' ', '-'))
        .collect(Collectors.toSet());
  }
}
