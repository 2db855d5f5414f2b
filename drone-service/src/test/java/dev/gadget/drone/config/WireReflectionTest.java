package dev.gadget.drone.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.workspace.Credential;
import dev.gadget.drone.workspace.HeldOrder;
import dev.gadget.drone.workspace.RunningNote;
import dev.gadget.drone.workspace.WorkspaceState;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WireReflectionTest {
    @Test
    @DisplayName("whatever a message or a file of the drone is made of is registered for the native program")
    void complete() {
        Set<Class<?>> reached = new HashSet<>();
        Stream.of(
                        DroneCommand.class,
                        DroneEvent.class,
                        Credential.class,
                        HeldOrder.class,
                        RunningNote.class,
                        WorkspaceState.class)
                .forEach(type -> reach(type, reached));
        Set<Class<?>> registered = Set.of(
                WireReflection.class.getAnnotation(RegisterForReflection.class).targets());
        assertThat(reached).hasSizeGreaterThan(100);
        assertThat(reached).filteredOn(type -> !isIn(registered, type)).isEmpty();
    }

    /** What is declared in a registered type is registered with it. */
    private static boolean isIn(Set<Class<?>> registered, Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        return registered.contains(type) || (outer != null && isIn(registered, outer));
    }

    private static void reach(Type type, Set<Class<?>> reached) {
        if (type instanceof ParameterizedType of) {
            Arrays.stream(of.getActualTypeArguments()).forEach(argument -> reach(argument, reached));
            reach(of.getRawType(), reached);
        }
        if (!(type instanceof Class<?> known) || !known.getName().startsWith("dev.gadget.") || !reached.add(known)) {
            return;
        }
        if (known.isSealed()) {
            Arrays.stream(known.getPermittedSubclasses()).forEach(one -> reach(one, reached));
        }
        if (known.isRecord()) {
            Arrays.stream(known.getRecordComponents()).forEach(component -> reach(component.getGenericType(), reached));
        }
    }
}
