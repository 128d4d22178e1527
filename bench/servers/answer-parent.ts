import { readFileSync } from 'node:fs'
import type { Message } from './messages.ts'

/**
 * Runs in a server's process: reports the port, reports the resource usage on request, and stops when the parent disconnects.
 *
 * @param rowsWritten the number of rows written by SQLite, if it is measured
 */
export function answerParent(port: number, close: () => Promise<void>, rowsWritten: () => number = () => 0): void {
  const send = (message: Message) => process.send?.(message)
  const takeLongestBlock = watchBlocks()
  process.on('message', () => {
    const usage = { ...usageOf(), rowsWritten: rowsWritten(), longestBlockMs: takeLongestBlock() }
    send({ kind: 'usage', usage })
  })
  process.once('disconnect', () => close().then(() => process.exit(0)))
  send({ kind: 'listening', port })
}

/**
 * Measures blocks of the event loop by the CPU time that the thread uses between two timers of a millisecond, so that
 * other work of the machine does not count; if BENCH_WATCH_BLOCKS is set, as it costs CPU time.
 */
function watchBlocks(): () => number {
  if (process.env['BENCH_WATCH_BLOCKS'] === undefined) return () => 0
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let [longest, last] = [0, usedMs()]
  const measure = () => {
    const now = usedMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  setInterval(measure, 1).unref()
  return () => {
    const taken = longest
    longest = 0
    return taken
  }
}

function usageOf() {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, maxRssBytes: maxRssKib() * 1024 }
}

/**
 * The highest resident memory. On Linux `getrusage` is not used: it counts the memory of the benchmark's own process,
 * which this one shares for a moment after the fork.
 */
function maxRssKib(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}
