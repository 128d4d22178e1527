import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { groupColumns } from '../groups.ts'
import type { StoreLog } from '../log.ts'
import { logWork } from '../log.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import { decodeDirectoryOwner, decodeFill, decodeOwners, fillAfter, nextFill, termStep } from '../search-terms.ts'
import { userColumns } from '../users.ts'
import { readBounded } from './bounded-rows.ts'
import type { GroupCommit } from './group-commit.ts'
import { rowKey, rowKeysAfter } from './row-key.ts'
import { createSearchTerms } from './search-terms.ts'

/** Writes the terms of directories that were created by a version without search, in small steps between other work. */
export async function fillSearchTerms(
  db: DatabaseSync,
  { write }: Pick<GroupCommit, 'write'>,
  log: StoreLog,
): Promise<void> {
  const next = db.prepare(nextFill)
  if (next.get() === undefined) return
  const end = logWork(log, {}, 'filling the search index')
  const step = createFillStep(db)
  for (let row = next.get(); row !== undefined; row = next.get()) {
    await write(() => {
      const current = next.get()
      if (current !== undefined) step(current)
      return {}
    })
    await nextTurn()
  }
  end()
}

function createFillStep(db: DatabaseSync): (row: Row) => void {
  const terms = createSearchTerms(db)
  const readPage = createOwnerPages(db)
  const advance = db.prepare('update search_fills set kind = ?, after_sequence = ? where directory_id = ?')
  const finish = db.prepare('delete from search_fills where directory_id = ?')
  const numberOf = createNumberOf(db)

  return (row) => {
    const fill = decodeFill(row)
    const { directoryId, product, kind, afterSequence } = fill
    const number = numberOf(directoryId)
    const rows = kind === 'directory' ? [] : readPage(directoryId, kind, afterSequence)
    const owners = kind === 'directory' ? [decodeDirectoryOwner(row)] : decodeOwners(kind, rows)
    for (const { sequence, terms: own } of owners) terms.write({ product, kind, rowKey: rowKey(number, sequence) }, own)
    const next = fillAfter(fill, rows)
    if (next === undefined) finish.run(directoryId)
    else advance.run(next.kind, next.afterSequence, directoryId)
  }
}

function createNumberOf(db: DatabaseSync) {
  const find = db.prepare('select number from directories where id = ?')
  return (directoryId: string) => integer(find.get(directoryId) ?? {}, 'number')
}

/** Reads users or groups of a directory in the order of their rows, a step of them at a time. */
export function createOwnerPages(db: DatabaseSync) {
  const pages = {
    user: db.prepare(
      `select ${userColumns} from users u where ${rowKeysAfter('u.row_key', '?2')} order by u.row_key limit ${termStep.rows}`,
    ),
    group: db.prepare(
      `select ${groupColumns} from groups g where ${rowKeysAfter('g.row_key', '?2')} order by g.row_key limit ${termStep.rows}`,
    ),
  }
  return (directoryId: string, kind: 'user' | 'group', afterSequence: number): Row[] =>
    readBounded(pages[kind].iterate(directoryId, afterSequence), termStep.bytes, (row) => text(row, 'raw').length)
}

/** Removes the terms of the users and groups of a deleted directory, in small steps: they are found by the users and groups. */
export async function purgeSearchTerms(
  db: DatabaseSync,
  { write }: Pick<GroupCommit, 'write'>,
  directoryId: string,
  product: string,
): Promise<void> {
  const terms = createSearchTerms(db)
  const readPage = createOwnerPages(db)
  const number = createNumberOf(db)(directoryId)
  for (const kind of ['user', 'group'] as const) {
    for (let after = 0; ; ) {
      const rows = readPage(directoryId, kind, after)
      const last = rows.at(-1)
      if (last === undefined) break
      after = integer(last, 'sequence')
      await write(() => {
        for (const { sequence, terms: own } of decodeOwners(kind, rows))
          terms.remove({ product, kind, rowKey: rowKey(number, sequence) }, own)
        return {}
      })
      await nextTurn()
    }
  }
}
