import type { Message } from './messages.ts'

/** In a server's process: says that it listens, tells what it uses when it is asked, and stops when the parent lets go. */
export function answerParent(port: number, close: () => Promise<void>): void {
  const send = (message: Message) => process.send?.(message)
  process.on('message', () => send({ kind: 'usage', usage: usageOf() }))
  process.once('disconnect', () => close().then(() => process.exit(0)))
  send({ kind: 'listening', port })
}

function usageOf() {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, maxRssBytes: process.resourceUsage().maxRSS * 1024 }
}
