FROM alpine AS base
ENV A=1 B=
RUN echo "$A

COPY --from=
FROM base AS
