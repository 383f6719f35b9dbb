/** Weir in Spring Boot applications: its properties, and the beans that stand behind them. */
@NullMarked
package dev.weir.spring;

import org.jspecify.annotations.NullMarked;
