package dev.weir.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Repository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What the module adds to an application that has the library and JUnit: itself only. */
class FootprintTest {
  private static final Path MODULE = Repository.path("testing");

  @Test
  void nothingComesAlongButTheLibrary() throws Exception {
    NodeList all =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(MODULE.resolve("pom.xml").toFile())
            .getElementsByTagName("dependency");
    List<String> transitive =
        Stream.iterate(0, i -> i < all.getLength(), i -> i + 1)
            .map(i -> (Element) all.item(i))
            .filter(one -> !isManaged(one)) // a version, which applies where something needs it
            .filter(one -> one.getElementsByTagName("scope").getLength() == 0)
            .filter(one -> one.getElementsByTagName("optional").getLength() == 0)
            .map(one -> one.getElementsByTagName("artifactId").item(0).getTextContent())
            .toList();
    assertThat(transitive).containsExactly("weir-library");
  }

  private static boolean isManaged(Element dependency) {
    return dependency.getParentNode().getParentNode().getNodeName().equals("dependencyManagement");
  }

  @Test
  void jarHasLessThanFiftyKilobytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Path classes = MODULE.resolve("target/classes");
    int entries = 0;
    try (JarOutputStream jar = new JarOutputStream(bytes);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        jar.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        jar.write(Files.readAllBytes(file));
        jar.closeEntry();
        entries++;
      }
    }
    assertThat(entries).isGreaterThan(10);
    assertThat(bytes.size()).isLessThan(50_000);
  }

  /** The clock and the store serve tests of any framework. */
  @Test
  void onlyTheExtensionNeedsJUnit() throws IOException {
    try (Stream<Path> files = Files.walk(MODULE.resolve("src/main/java"))) {
      List<String> users =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> contains(file, "import org.junit"))
              .map(file -> String.valueOf(file.getFileName()))
              .toList();
      assertThat(users).containsExactly("WeirExtension.java");
    }
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
