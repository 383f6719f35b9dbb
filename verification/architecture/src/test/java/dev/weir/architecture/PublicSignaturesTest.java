package dev.weir.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Libraries stay behind our own types: public signatures name only Weir and the JDK. */
class PublicSignaturesTest {
  @Test
  void httpShowsNoLibrary() {
    assertThat(foreignTypes("dev.weir.http", type -> true)).isEmpty();
  }

  @Test
  void rulesShowNoLibrary() {
    assertThat(foreignTypes("dev.weir.rules", type -> true)).isEmpty();
  }

  /** The rooms below share types of the driver with each other. */
  @Test
  void rootPackageOfTheRedisStoreShowsNoDriver() {
    assertThat(foreignTypes("dev.weir.redis", type -> type.getPackageName().endsWith(".redis")))
        .isEmpty();
  }

  /** An application has a registry of Micrometer already; a type of our own could only wrap it. */
  @Test
  void libraryShowsNoLibraryButTheMeterRegistry() {
    assertThat(foreignTypes("dev.weir.library", type -> true))
        .containsExactly("io.micrometer.core.instrument.MeterRegistry");
  }

  private static Set<String> foreignTypes(String packages, Predicate<JavaClass> wanted) {
    JavaClasses types =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(packages);
    Set<String> foreign = new TreeSet<>();
    int checked = 0;
    for (JavaClass type : types) {
      if (wanted.test(type) && type.getModifiers().contains(JavaModifier.PUBLIC)) {
        checked++;
        for (JavaMember member : type.getMembers()) {
          if (member.getModifiers().contains(JavaModifier.PUBLIC)) {
            addForeign(foreign, member.getAllInvolvedRawTypes());
          }
        }
      }
    }
    assertThat(checked).as("public types of " + packages).isPositive();
    return foreign;
  }

  private static void addForeign(Set<String> foreign, Set<JavaClass> types) {
    for (JavaClass type : types) {
      JavaClass base = type.getBaseComponentType();
      boolean known =
          base.isPrimitive()
              || base.getName().startsWith("java.")
              || base.getName().startsWith("dev.weir.");
      if (!known) {
        foreign.add(base.getName());
      }
    }
  }
}
