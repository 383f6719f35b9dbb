package dev.weir.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The rules for dependencies between the packages, and on the YAML parser. */
class ArchitectureTest {
  private static final String SNAKE_YAML = "org.snakeyaml";

  private static final JavaClasses RULES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir.rules");

  @Test
  void packagesAreFreeOfCycles() {
    slices().matching("dev.weir.(**)").should().beFreeOfCycles().check(RULES);
  }

  @Test
  void onlyTheYamlPackageKnowsSnakeYaml() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.weir.rules.yaml")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(SNAKE_YAML + "..")
        .check(RULES);
  }

  @Test
  void publicSignaturesNameNoSnakeYamlType() {
    Set<String> foreign = new TreeSet<>();
    for (JavaClass type : RULES) {
      if (type.getModifiers().contains(JavaModifier.PUBLIC)) {
        for (JavaCodeUnit unit : type.getCodeUnits()) {
          if (unit.getModifiers().contains(JavaModifier.PUBLIC)) {
            addForeign(foreign, unit.getAllInvolvedRawTypes());
          }
        }
        for (JavaField field : type.getFields()) {
          if (field.getModifiers().contains(JavaModifier.PUBLIC)) {
            addForeign(foreign, field.getAllInvolvedRawTypes());
          }
        }
      }
    }
    assertThat(foreign).isEmpty();
  }

  private static void addForeign(Set<String> foreign, Set<JavaClass> types) {
    for (JavaClass type : types) {
      String name = type.getBaseComponentType().getName();
      if (name.startsWith(SNAKE_YAML + ".")) {
        foreign.add(name);
      }
    }
  }
}
