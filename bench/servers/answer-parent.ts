import type { Message } from './messages.ts'

/**
 * Runs in a server's process: reports the port, reports the resource usage on request, and stops when the parent disconnects.
 *
 * @param rowsWritten the number of rows written by SQLite, if it is measured
 */
export function answerParent(port: number, close: () => Promise<void>, rowsWritten: () => number = () => 0): void {
  const send = (message: Message) => process.send?.(message)
  process.on('message', () => send({ kind: 'usage', usage: { ...usageOf(), rowsWritten: rowsWritten() } }))
  process.once('disconnect', () => close().then(() => process.exit(0)))
  send({ kind: 'listening', port })
}

function usageOf() {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, maxRssBytes: process.resourceUsage().maxRSS * 1024 }
}
