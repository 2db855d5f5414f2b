package dev.gadget.code.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.api.AccountApi;
import dev.gadget.model.api.DroneApi;
import dev.gadget.model.api.FileApi;
import dev.gadget.model.api.Page;
import dev.gadget.model.api.Problem;
import dev.gadget.model.api.ProjectApi;
import dev.gadget.model.api.ProviderApi;
import dev.gadget.model.api.SessionApi;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.ide.IdeCommand;
import dev.gadget.model.ide.IdeEvent;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NativeMessagesTest {
    @Test
    @DisplayName("whatever a message or a body is made of is registered for the native program")
    void complete() {
        Set<Class<?>> reached = new HashSet<>();
        Stream.of(
                        IdeCommand.class,
                        IdeEvent.class,
                        TerminalCommand.class,
                        TerminalEvent.class,
                        DroneCommand.class,
                        DroneEvent.class,
                        Page.class,
                        Problem.class)
                .forEach(type -> reach(type, reached));
        Stream.of(
                        AccountApi.class,
                        DroneApi.class,
                        FileApi.class,
                        ProjectApi.class,
                        ProviderApi.class,
                        SessionApi.class)
                .flatMap(bodies -> Arrays.stream(bodies.getDeclaredClasses()))
                .forEach(type -> reach(type, reached));
        Set<Class<?>> registered = Set.of(
                NativeMessages.class.getAnnotation(RegisterForReflection.class).targets());
        assertThat(registered).containsAll(reached);
        assertThat(reached).hasSizeGreaterThan(100);
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
