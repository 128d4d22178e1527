// Run by npm when the repository is installed: builds the console, and writes the OpenAPI descriptions and the client's types.
// An installation without the development packages skips both, with any version of Node.js.
import { existsSync, readdirSync, rmSync } from 'node:fs'

// The package "node" has 67 MB of headers, with which native add-ons are compiled; none is.
const binaries = new URL('../node_modules/node/node_modules/', import.meta.url)
for (const name of existsSync(binaries) ? readdirSync(binaries) : []) {
  rmSync(new URL(`${name}/include/`, binaries), { recursive: true, force: true })
}

await import('../console/build.js')
await import('../openapi/generate.js')
