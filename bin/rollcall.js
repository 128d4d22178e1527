#!/usr/bin/env -S node --max-semi-space-size=8 --max-old-space-size=512
// A young generation of 8 MB: the service takes half the memory under load, and requests the same time.
// Old versions of Node.js must be able to parse this file, to get as far as the message: it imports nothing at the top.

const oldestMajor = 24

if (Number(process.versions.node.split('.')[0]) < oldestMajor) {
  const advice = `Install Node.js ${oldestMajor}, or run npm ci without --omit=dev in its repository: that installs one for all npm scripts.`
  process.stderr.write(
    `Rollcall needs Node.js ${oldestMajor} or later; this is Node.js ${process.versions.node}. ${advice}\n`,
  )
  process.exitCode = 1
} else {
  run()
}

/**
 * Compiled code is kept between starts. From TypeScript, that halves the time to start, and saves the memory that removing the
 * types takes. A service from JavaScript goes without: it would start a tenth faster and hold the kept code, 5 MB, for good.
 */
async function run() {
  const isService = ['serve', 'demo'].includes(process.argv[2])
  const { enableCompileCache } = await import('node:module')
  if (!isService || !(await isJavaScript())) enableCompileCache()
  await import('../src/cli/main.ts')
}

/** Whether this is the package, whose files were compiled, and not its repository. */
async function isJavaScript() {
  const { existsSync } = await import('node:fs')
  return existsSync(new URL('../src/cli/main.js', import.meta.url))
}
