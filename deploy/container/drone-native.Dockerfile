# A drone as a native executable, with what its tools like to have. Build from the root of the checkout, after `./gadget native`:
#   docker build -f deploy/container/drone-native.Dockerfile -t gadget/drone:0.1.0 .
# Enrol once, then run, with the workspace mounted at /workspace:
#   docker run --rm -v "$PWD:/workspace" gadget/drone:0.1.0 enroll --server https://gadget.example --code CODE
#   docker run -d -v "$PWD:/workspace" gadget/drone:0.1.0
FROM docker.io/library/debian:stable-slim

RUN apt-get update \
    && apt-get install -y --no-install-recommends zlib1g ca-certificates git ripgrep bubblewrap util-linux \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home drone \
    && mkdir /workspace && chown drone:drone /workspace
COPY --chown=root:root --chmod=0755 drone-service/target/gadget-drone /usr/local/bin/gadget-drone

ENV GADGET_WORKSPACE=/workspace
USER 10001:10001
WORKDIR /home/drone
ENTRYPOINT ["/usr/local/bin/gadget-drone"]
CMD ["run"]
