import { createRollcall } from 'rollcall'

const port = Number(process.env['PORT'] ?? 3000)

/** Rollcall inside this process, below /rollcall. */
export const rollcall = await createRollcall({
  databaseUrl: process.env['DATABASE_URL'] ?? 'sqlite:./data/rollcall.db',
  externalUrl: process.env['EXTERNAL_URL'] ?? `http://localhost:${port}/rollcall`,
  apiKeys: [process.env['ROLLCALL_API_KEY'] ?? 'change-this-key-before-use'],
  async onEvent(event) {
    console.log(`${event.sequence} ${event.event}`)
  },
})

export { port }
