import { startServer } from './postgres.ts'

let stop: (() => Promise<void>) | undefined

/** Starts the PostgreSQL server that all files of a run share; one that runs alone starts its own. */
export async function globalSetup(): Promise<void> {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return
  const server = await startServer({ isFast: true })
  stop = server.stop
  process.env['TEST_POSTGRES_OF_RUN'] = server.url
}

export async function globalTeardown(): Promise<void> {
  await stop?.()
}
