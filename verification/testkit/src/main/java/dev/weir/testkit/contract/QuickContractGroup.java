package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.contract.QuickContract;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The part of the contract that {@code weir doctor --store} runs on the store of a user. */
abstract class QuickContractGroup extends ContractGroup {
  QuickContractGroup(StoreContract contract) {
    super(contract);
  }

  @Test
  void everyQuickCheckHolds() {
    List<QuickContract.Result> results = QuickContract.check(store);
    assertThat(results).hasSizeGreaterThan(15);
    assertThat(results).allMatch(result -> result.failure().isEmpty());
  }
}
