# The code service as a native executable. Build from the root of the checkout, after `./gadget native`:
#   docker build -f deploy/container/code-service-native.Dockerfile -t gadget/code-service:0.1.0-native .
FROM docker.io/library/debian:stable-slim

RUN apt-get update \
    && apt-get install -y --no-install-recommends zlib1g ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/gadget --create-home gadget
WORKDIR /opt/gadget
COPY --chown=root:root --chmod=0755 code-service/target/gadget-code-service /opt/gadget/gadget-code-service

ENV QUARKUS_HTTP_HOST=0.0.0.0 \
    QUARKUS_HTTP_PORT=8080 \
    GADGET_DATA_DIR=/var/lib/gadget
USER 10001:10001
EXPOSE 8080
VOLUME /var/lib/gadget
ENTRYPOINT ["/opt/gadget/gadget-code-service"]
