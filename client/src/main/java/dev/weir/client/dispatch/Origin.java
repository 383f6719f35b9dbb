package dev.weir.client.dispatch;

/** What is known about one server: its pacer and the budget for retries. */
record Origin(Pacer pacer, RetryBudget budget) {}
