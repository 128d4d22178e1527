import type { EmbeddedRollcall } from 'rollcall'
import { createRollcall } from 'rollcall'

const port = Number(process.env['PORT'] ?? 3000)
// Next.js may load this module more than once; the process has one Rollcall.
const shared = globalThis as { rollcall?: Promise<EmbeddedRollcall> }

/** Rollcall inside this process, below /rollcall. It is opened by the first request, not by the build. */
export function openRollcall(): Promise<EmbeddedRollcall> {
  shared.rollcall ??= createRollcall({
    databaseUrl: process.env['DATABASE_URL'] ?? 'sqlite:./data/rollcall.db',
    externalUrl: process.env['EXTERNAL_URL'] ?? `http://localhost:${port}/rollcall`,
    apiKeys: [process.env['ROLLCALL_API_KEY'] ?? 'change-this-key-before-use'],
    async onEvent(event) {
      console.log(`${event.sequence} ${event.event}`)
    },
  })
  return shared.rollcall
}
