# A static binary on an empty image, as a user that nobody is. Build: docker build -t interregnum .
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOWORK=off go build -trimpath -ldflags=-s -o /simulate ./cmd/simulate

FROM scratch
COPY --from=build /simulate /simulate
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/simulate"]
