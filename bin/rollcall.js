#!/usr/bin/env node
// Old versions of Node.js must be able to parse this file, to get as far as the message: it imports nothing at the top.

const oldestMajor = 24

/** A small young generation and a heap that grows in small steps: together they halve the memory under load. */
const heapOptions = ['--max-semi-space-size=4', '--heap-growing-percent=50']

if (Number(process.versions.node.split('.')[0]) < oldestMajor) {
  const advice = `Install Node.js ${oldestMajor}, or run npm ci in its repository, which installs one for all npm scripts.`
  process.stderr.write(
    `Rollcall needs Node.js ${oldestMajor} or later; this is Node.js ${process.versions.node}. ${advice}\n`,
  )
  process.exitCode = 1
} else {
  run()
}

/** Compiled code is kept between starts: that halves the time to start and saves the memory that compiling takes. */
async function run() {
  if (['serve', 'demo'].includes(process.argv[2])) withHeapOptions()
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  await import('../src/cli/main.ts')
}

/** Replaces this process by one with the options, which V8 reads only when it starts. Where that is impossible, goes on. */
function withHeapOptions() {
  const options = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ').replaceAll('_', '-')
  if (options.includes('--max-semi-space-size') || process.execve === undefined) return
  try {
    const { execPath, execArgv, argv, env } = process
    process.execve(execPath, [execPath, ...execArgv, ...heapOptions, ...argv.slice(1)], env)
  } catch {
    // Windows, or a process that may start no other.
  }
}
