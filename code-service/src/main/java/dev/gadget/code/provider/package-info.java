/** The model providers that a person has set up; their keys are sealed at rest. */
@NullMarked
package dev.gadget.code.provider;

import org.jspecify.annotations.NullMarked;
