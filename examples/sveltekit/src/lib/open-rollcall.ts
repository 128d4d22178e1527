import type { EmbeddedRollcall } from 'rollcall'
import { createRollcall } from 'rollcall'

const port = Number(process.env['PORT'] ?? 3000)
let opened: Promise<EmbeddedRollcall> | undefined

/** Rollcall inside this process, below /rollcall. It is opened by the first request, not by the build. */
export function openRollcall(): Promise<EmbeddedRollcall> {
  opened ??= createRollcall({
    databaseUrl: process.env['DATABASE_URL'] ?? 'sqlite:./data/rollcall.db',
    externalUrl: process.env['EXTERNAL_URL'] ?? `http://localhost:${port}/rollcall`,
    apiKeys: [process.env['ROLLCALL_API_KEY'] ?? 'change-this-key-before-use'],
    async onEvent(event) {
      console.log(`${event.sequence} ${event.event}`)
    },
  })
  return opened
}
