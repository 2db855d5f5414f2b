package dev.gadget.code.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedConstructor;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.AnnotationIntrospectorPair;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.lang.reflect.AnnotatedType;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** JSON as the API takes it: what is unknown, missing or of another type is refused instead of guessed. */
@Singleton
public class StrictJson implements ObjectMapperCustomizer {
    @Override
    @SuppressWarnings("deprecation") // an ObjectMapper that exists can only be changed by these
    public void customize(ObjectMapper mapper) {
        mapper.enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS,
                        DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .setSerializationInclusion(JsonInclude.Include.NON_NULL);
        mapper.coercionConfigFor(LogicalType.Textual)
                .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
        mapper.setAnnotationIntrospector(AnnotationIntrospectorPair.pair(
                new WhatMustBeThere(), mapper.getDeserializationConfig().getAnnotationIntrospector()));
    }

    /**
     * A component of our records has to be there and to be no null, unless it is {@code @Nullable}; what is in a list is no null in any
     * case. Maps are free-form: there a null is as good as any other value.
     */
    private static final class WhatMustBeThere extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1L;
        private static final String OURS = "dev.gadget.";

        @Override
        public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
            return isRequired(member) ? Boolean.TRUE : null;
        }

        @Override
        public JsonSetter.Value findSetterInfo(Annotated annotated) {
            boolean list = isOurs(annotated) && Collection.class.isAssignableFrom(annotated.getRawType());
            return JsonSetter.Value.construct(isRequired(annotated) ? Nulls.FAIL : null, list ? Nulls.FAIL : null);
        }

        private static boolean isRequired(Annotated annotated) {
            if (!isOurs(annotated)) {
                return false;
            }
            var parameter = (AnnotatedParameter) annotated;
            AnnotatedType[] types =
                    ((AnnotatedConstructor) parameter.getOwner()).getAnnotated().getAnnotatedParameterTypes();
            return parameter.getIndex() < types.length
                    && !types[parameter.getIndex()].isAnnotationPresent(Nullable.class);
        }

        private static boolean isOurs(Annotated annotated) {
            return annotated instanceof AnnotatedParameter parameter
                    && parameter.getOwner() instanceof AnnotatedConstructor constructor
                    && constructor.getDeclaringClass().isRecord()
                    && constructor.getDeclaringClass().getName().startsWith(OURS);
        }
    }
}
