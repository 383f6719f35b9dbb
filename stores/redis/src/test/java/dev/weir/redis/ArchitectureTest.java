package dev.weir.redis;

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

/** The packages of the store, and what its public types expose. */
class ArchitectureTest {
  private static final JavaClasses REDIS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir.redis");

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.weir.(**)").should().beFreeOfCycles().check(REDIS);
  }

  @Test
  void publicSignaturesOfTheRootPackageNameNoDriverType() {
    Set<String> driverTypes = new TreeSet<>();
    int checked = 0;
    for (JavaClass type : REDIS) {
      if (type.getPackageName().equals("dev.weir.redis")
          && type.getModifiers().contains(JavaModifier.PUBLIC)) {
        checked++;
        for (JavaCodeUnit unit : type.getCodeUnits()) {
          if (unit.getModifiers().contains(JavaModifier.PUBLIC)) {
            addDriverTypes(driverTypes, unit.getAllInvolvedRawTypes());
          }
        }
        for (JavaField field : type.getFields()) {
          if (field.getModifiers().contains(JavaModifier.PUBLIC)) {
            addDriverTypes(driverTypes, field.getAllInvolvedRawTypes());
          }
        }
      }
    }
    assertThat(checked).as("public types").isPositive();
    assertThat(driverTypes).isEmpty();
  }

  private static void addDriverTypes(Set<String> driverTypes, Set<JavaClass> types) {
    for (JavaClass type : types) {
      String name = type.getBaseComponentType().getName();
      if (name.startsWith("io.lettuce.") || name.startsWith("io.netty.")) {
        driverTypes.add(name);
      }
    }
  }
}
