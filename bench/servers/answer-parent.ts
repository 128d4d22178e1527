import { monitorEventLoopDelay } from 'node:perf_hooks'
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

/** Measures how late timers are, if BENCH_WATCH_BLOCKS is set: doing so costs CPU time. */
function watchBlocks(): () => number {
  if (process.env['BENCH_WATCH_BLOCKS'] === undefined) return () => 0
  const resolutionMs = 1
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  return () => {
    const longestMs = delays.max / 1e6 - resolutionMs
    delays.reset()
    return Math.max(0, longestMs)
  }
}

function usageOf() {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, maxRssBytes: process.resourceUsage().maxRSS * 1024 }
}
