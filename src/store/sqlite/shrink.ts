import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GroupCommit } from './group-commit.ts'

/** The number of free pages of 4 KiB that one step gives back. */
const pagesPerStep = 128

/** Free pages that the file always keeps for later writes. */
const keptPages = 1024

/**
 * Gives the space of deleted rows back to the file system if it is more than a quarter of the file, in small steps between
 * other work. Otherwise later writes use it.
 */
export async function shrinkFile(db: DatabaseSync, { write }: GroupCommit): Promise<void> {
  const [free, all] = [freePages(db), pagesOf(db, 'page_count')]
  if (free <= keptPages || free * 4 <= all) return
  for (let left = free; left > keptPages; ) {
    const wanted = Math.min(pagesPerStep, left - keptPages)
    await write(() => db.exec(`pragma incremental_vacuum(${wanted})`))
    const now = freePages(db)
    if (now >= left) break
    left = now
    await nextTurn()
  }
  // The file shrinks when its log is written back.
  db.exec('pragma wal_checkpoint(passive)')
}

function freePages(db: DatabaseSync): number {
  return pagesOf(db, 'freelist_count')
}

function pagesOf(db: DatabaseSync, pragma: 'freelist_count' | 'page_count'): number {
  return Number(db.prepare(`pragma ${pragma}`).get()?.[pragma] ?? 0)
}
