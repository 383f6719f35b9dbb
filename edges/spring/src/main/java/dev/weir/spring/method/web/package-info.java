/** Answers requests whose controllers called a method that was denied. */
@NullMarked
package dev.weir.spring.method.web;

import org.jspecify.annotations.NullMarked;
