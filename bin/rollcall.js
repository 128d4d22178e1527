#!/usr/bin/env node
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
  if (isService) await withMemoryOptions()
  await import('../src/cli/main.ts')
}

/** Whether this is the package, whose files were compiled, and not its repository. */
async function isJavaScript() {
  const { existsSync } = await import('node:fs')
  return existsSync(new URL('../src/cli/main.js', import.meta.url))
}

/** Replaces this process by one that was started with the options. Where that is impossible, goes on. */
async function withMemoryOptions() {
  const { nodeOptions, allocatorVariables } = await import('../src/cli/memory-options.ts')
  const { execPath, execArgv, argv, env } = process
  const given = [...execArgv, env['NODE_OPTIONS'] ?? ''].join(' ').replaceAll('_', '-')
  const missing = nodeOptions.filter((option) => !given.includes(option.replace(/=.*/, '')))
  const isComplete = missing.length === 0 && Object.keys(allocatorVariables).every((name) => name in env)
  if (isComplete || process.execve === undefined) return
  try {
    process.execve(execPath, [execPath, ...execArgv, ...missing, ...argv.slice(1)], { ...allocatorVariables, ...env })
  } catch {
    // Windows, or a process that may start no other.
  }
}
