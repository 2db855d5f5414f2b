# The code service on a JVM. Build from the root of the checkout, after `./gadget test` or `mvn package`:
#   docker build -f deploy/container/code-service.Dockerfile -t gadget/code-service:0.1.0 .
FROM docker.io/library/eclipse-temurin:25-jre

RUN useradd --system --uid 10001 --home-dir /var/lib/gadget --create-home gadget
WORKDIR /opt/gadget
COPY --chown=root:root code-service/target/quarkus-app/ ./

ENV QUARKUS_HTTP_HOST=0.0.0.0 \
    QUARKUS_HTTP_PORT=8080 \
    GADGET_DATA_DIR=/var/lib/gadget \
    JAVA_TOOL_OPTIONS="-XX:MaxRAMPercentage=75 -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED"
USER 10001:10001
EXPOSE 8080
VOLUME /var/lib/gadget
ENTRYPOINT ["java", "-jar", "/opt/gadget/quarkus-run.jar"]
