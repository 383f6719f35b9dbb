package dev.weir.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may know whom, across all modules. */
class PackagesTest {
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir");

  @Test
  void packagesFormNoCycle() {
    assertThat(ALL.size()).isGreaterThan(1_000);
    slices().matching("dev.weir.(**)").should().beFreeOfCycles().check(ALL);
  }

  @Test
  void layersKnowOnlyWhatIsBelowThem() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.weir", "dev.weir.shared..", "dev.weir.limiter..", "dev.weir.rule..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.weir.rules..", "dev.weir.http..", "dev.weir.redis..", "dev.weir.server..")
        .check(ALL);
    noClasses()
        .that()
        .resideInAnyPackage("dev.weir.http..", "dev.weir.rules..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.weir.redis..", "dev.weir.server..", "dev.weir.cli..")
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage("dev.weir.redis..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.weir.http..", "dev.weir.rules..", "dev.weir.server..")
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage("dev.weir.server..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.weir.redis..", "dev.weir.cli..")
        .check(ALL);
  }
}
