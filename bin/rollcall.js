#!/usr/bin/env node
// Old versions of Node.js must be able to parse this file, to get as far as the message: it imports nothing at the top.

const oldestMajor = 24

if (Number(process.versions.node.split('.')[0]) < oldestMajor) {
  const advice = 'npm ci installs one, which "npm start" and all npm scripts use.'
  process.stderr.write(
    `Rollcall needs Node.js ${oldestMajor} or later; this is Node.js ${process.versions.node}. In its repository, ${advice}\n`,
  )
  process.exitCode = 1
} else {
  run()
}

/** Compiled code is kept between starts: that halves the time to start and saves the memory that compiling takes. */
async function run() {
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  await import('../src/cli/main.ts')
}
