# Three stages; what stands in docs/operations.md, "Container", belongs to it. `npm run container`
# carries out every line in an empty folder and starts the last stage, without a container engine. It
# knows the instructions that are used here and no others.

# Everything, to build with.
FROM node:26-bookworm-slim AS build
WORKDIR /data
WORKDIR /app
COPY package.json package-lock.json .npmrc prisma.config.ts ./
COPY prisma ./prisma
RUN npm ci
COPY . .
RUN npm run build && rm -r .next/cache

# What runs. The packages that are optional belong to the build, Prisma's command line among them;
# install scripts would ask for them. Source maps are a third of the rest, and of use to those alone
# who debug packages.
FROM node:26-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --omit=peer --ignore-scripts
RUN find node_modules -name '*.map' -type f -delete
# Prisma's client brings its compiler for each kind of database.
RUN find node_modules/@prisma/client/runtime -name 'query_compiler_*' -not -name '*.postgresql.*' -delete

FROM node:26-bookworm-slim
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
# The one optional package that is needed: the compiler with which tsx starts the service.
COPY --from=build /app/node_modules/@esbuild ./node_modules/@esbuild
COPY --from=build /app/.next ./.next
COPY --from=build /app/src ./src
COPY prisma/migrations ./prisma/migrations
COPY --from=build /app/prisma/empty-database ./prisma/empty-database
COPY package.json .npmrc tsconfig.json next.config.mjs ./
COPY --from=build --chown=node:node /data /data
ENV NODE_ENV=production DATA_FOLDER=/data PORT=3000
USER node
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As `npm start`, without npm between the signal to stop and the service.
CMD ["node", "--min-semi-space-size=16", "--max-semi-space-size=32", "--import", "tsx", "src/server.ts"]
