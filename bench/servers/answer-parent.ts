import type { Message } from './messages.ts'

/**
 * In a server's process: says that it listens, tells what it uses when it is asked, and stops when the parent lets go.
 *
 * @param rowsWritten tells what its SQLite has written, where that is of interest
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
