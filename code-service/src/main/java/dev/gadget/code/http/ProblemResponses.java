package dev.gadget.code.http;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/** Says in the API's description that every operation may answer with a problem. */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class ProblemResponses implements OASFilter {
    @Override
    public Operation filterOperation(Operation operation) {
        APIResponses responses =
                operation.getResponses() == null ? OASFactory.createAPIResponses() : operation.getResponses();
        responses.addAPIResponse("default", OASFactory.createAPIResponse().ref("#/components/responses/Problem"));
        operation.setResponses(responses);
        return operation;
    }
}
