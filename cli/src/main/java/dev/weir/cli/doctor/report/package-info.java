/** Findings, as text and as JSON. */
@NullMarked
package dev.weir.cli.doctor.report;

import org.jspecify.annotations.NullMarked;
