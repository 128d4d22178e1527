import { setTimeout as pause } from 'node:timers/promises'
import { groupColumns } from '../groups.ts'
import type { StoreLog } from '../log.ts'
import { logWork } from '../log.ts'
import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import type { SearchFill } from '../search-terms.ts'
import { decodeDirectoryOwner, decodeFill, decodeOwners, fillAfter, nextFill, termStep } from '../search-terms.ts'
import { userColumns } from '../users.ts'
import type { Database, Statement } from './database.ts'
import { lockPresent, resourcePage } from './resync.ts'
import { removeTerms, writeDirectoryTerms, writeTerms } from './search-terms.ts'

/** The time after which filling is tried again that failed. */
const retryMs = 30_000

/** Writes the terms of directories that were created by a version without search, in small steps between other work. */
export interface SearchFilling {
  start(): void
  stop(): Promise<void>
}

/** Whether there are directories to fill. */
export async function hasUnfilled({ query }: Pick<Database, 'query'>): Promise<boolean> {
  return (await query({ text: nextFill, values: [] })).length > 0
}

/** @param onError called when a step fails; it is repeated */
export function createSearchFilling(
  database: Database,
  log: StoreLog,
  onError: (error: unknown) => void,
): SearchFilling {
  const stopping = new AbortController()
  let running = Promise.resolve()

  async function fillAll(): Promise<void> {
    for (;;) {
      if (stopping.signal.aborted) return
      const [row] = await database.query({ text: nextFill, values: [] })
      if (row === undefined) return
      await fillStep(database, row)
    }
  }

  async function fillPatiently(): Promise<void> {
    const end = logWork(log, {}, 'filling the search index')
    while (!stopping.signal.aborted) {
      try {
        await fillAll()
        return stopping.signal.aborted ? undefined : end()
      } catch (error) {
        if (stopping.signal.aborted) return
        onError(error)
        await pause(retryMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
      }
    }
  }

  return {
    start() {
      running = fillPatiently()
    },
    stop() {
      stopping.abort()
      return running
    },
  }
}

const isAt = 'select directory_id from search_fills where directory_id = $1 and kind = $2 and after_sequence = $3'
const advance = 'update search_fills set kind = $2, after_sequence = $3 where directory_id = $1'
const finish = 'delete from search_fills where directory_id = $1'

/** Nothing is written when another process has made the step, or the directory was deleted. */
function fillStep(database: Database, row: Row): Promise<void> {
  const fill = decodeFill(row)
  const { directoryId, product, kind, afterSequence } = fill
  const first = [
    { text: lockPresent, values: [directoryId] },
    { text: isAt, values: [directoryId, kind, afterSequence] },
    ...(kind === 'directory' ? [] : [ownerPage(directoryId, kind, afterSequence)]),
  ]
  return database.transaction(first, ([locked = [], current = [], rows = []]) => {
    if (locked.length === 0 || current.length === 0) return { statements: [], answer: undefined }
    const written =
      kind === 'directory'
        ? [writeDirectoryTerms(product, decodeDirectoryOwner(row))]
        : writeTerms({ directoryId, product, kind }, decodeOwners(kind, rows))
    return { statements: [...written, advanceTo(directoryId, fillAfter(fill, rows))], answer: undefined }
  })
}

function advanceTo(directoryId: string, next: SearchFill | undefined): Statement {
  if (next === undefined) return { text: finish, values: [directoryId] }
  return { text: advance, values: [directoryId, next.kind, next.afterSequence] }
}

const pages = { user: resourcePage('users', 'u', userColumns), group: resourcePage('groups', 'g', groupColumns) }

/** Users or groups of a directory in the order of their rows. */
function ownerPage(directoryId: string, kind: 'user' | 'group', afterSequence: number): Statement {
  const values = [directoryId, afterSequence, Number.MAX_SAFE_INTEGER, termStep.rows, termStep.bytes]
  return { text: pages[kind], values }
}

/** Removes the terms of the users and groups of a deleted directory, in small steps: they are found by the users and groups. */
export async function purgeSearchTerms(
  { query }: Pick<Database, 'query'>,
  { directoryId, product }: { readonly directoryId: string; readonly product: string },
  isStopped: () => boolean,
): Promise<void> {
  for (const kind of ['user', 'group'] as const) {
    for (let after = 0; !isStopped(); ) {
      const rows = await query(ownerPage(directoryId, kind, after))
      const last = rows.at(-1)
      if (last === undefined) break
      after = integer(last, 'sequence')
      for (const statement of removeTerms({ directoryId, product, kind }, decodeOwners(kind, rows)))
        await query(statement)
    }
  }
}
