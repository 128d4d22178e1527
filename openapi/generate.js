// Writes the OpenAPI descriptions and the client's types from the routes: run when the repository is installed,
// by the build, and by hand with "npm run generate" after a change of a route. An installation without the development
// packages skips it.
import { writeFile } from 'node:fs/promises'

/** Whether the packages that this needs are installed, among them a Node.js that runs TypeScript. */
async function isInstalled() {
  try {
    await import('openapi-typescript')
    return true
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return false
    throw error
  }
}

if (await isInstalled()) {
  const { describeService, descriptionFile, productFile, typesFile, typesOf } = await import('./description.ts')
  const { whole, product } = await describeService()
  await writeFile(descriptionFile, whole)
  await writeFile(productFile, product)
  await writeFile(typesFile, await typesOf(whole))
} else {
  process.stdout.write('The OpenAPI descriptions are not written: openapi-typescript is not installed.\n')
}
