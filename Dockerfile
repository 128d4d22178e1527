# The service on a minimal Debian with Node.js. Nothing at run time needs a shell. The digest is that of the base image for all
# platforms: docs/deployment.md says how to change it.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
COPY openapi/package.json openapi/
COPY packages/client/package.json packages/client/
COPY site/package.json site/
# No package needs its install script: bcrypt contains its builds, and Node.js is that of the image.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build
RUN npm ci --ignore-scripts --omit=dev --workspaces=false

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
LABEL org.opencontainers.image.title="Rollcall" \
      org.opencontainers.image.description="Directory sync for B2B software" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN install --directory --mode=700 --owner=node --group=node /data
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATABASE_URL=sqlite:/data/rollcall.db
# The user "node" of the image, as a number, so that Kubernetes sees that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 5225
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 5225}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "--max-old-space-size=512", "dist/bin/rollcall.js"]
CMD ["serve"]
