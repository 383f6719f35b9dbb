package dev.weir.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Checks which packages and types may depend on which. */
class ArchitectureTest {
  private static final JavaClasses HTTP =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir.http");

  @Test
  void httpDependsOnCoreNimbusCaffeineAndTheJdk() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.weir",
            "dev.weir.key",
            "dev.weir.memory",
            "dev.weir.time",
            "dev.weir.rule..",
            "dev.weir.internal",
            "dev.weir.http..",
            "com.nimbusds..",
            "com.github.benmanes.caffeine..",
            "java..",
            "javax.crypto..",
            "org.jspecify.annotations..")
        .check(HTTP);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.weir.http.(**)").should().beFreeOfCycles().check(HTTP);
    noClasses()
        .that()
        .resideInAPackage("dev.weir.http")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.weir.http.*..")
        .because("the root package is shared by all others")
        .check(HTTP);
  }

  @Test
  void onlyTheVerifierAndItsKeysDependOnNimbusAndOnlyTheTokenCacheOnCaffeine() {
    noClasses()
        .that()
        .doNotHaveSimpleName("JwtVerifier")
        .and()
        .doNotHaveSimpleName("KeySet")
        .and()
        .doNotHaveSimpleName("KeySource")
        .and()
        .doNotHaveSimpleName("PublicKeys")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.nimbusds..")
        .check(HTTP);
    noClasses()
        .that()
        .doNotHaveSimpleName("TokenCache")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.github.benmanes..")
        .check(HTTP);
  }
}
