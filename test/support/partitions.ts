import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { serversAt } from '../../src/store/postgres/servers.ts'
import { execute, startPostgres } from './postgres.ts'

/** As many as show what partitions change: a database of tests has hundreds of files already. */
export const partitions = 3

let template: Promise<string> | undefined

/** A database with partitions; the first one is the template of the others. */
export async function startPartitioned() {
  template ??= createTemplate()
  return startPostgres({ template: await template })
}

async function createTemplate(): Promise<string> {
  const { url } = await startPostgres({ isEmpty: true })
  await migratePostgres({ servers: serversAt(url, 'url'), partitions })
  return new URL(url).pathname.slice(1)
}

/** Drops the template, which outlives a run on a server of one's own. */
export async function dropTemplate(): Promise<void> {
  const name = await template
  if (name === undefined) return
  const { url, [Symbol.asyncDispose]: dispose } = await startPostgres()
  await execute(url, `drop database ${name}`)
  await dispose()
}
