import type { DirectoryReads } from '../../directory/directory-store.ts'
import { integer } from '../row.ts'
import { decodeComparedUser, snapshotReads, usersPerPart } from '../user-snapshots.ts'
import type { Database, RunAll } from './database.ts'
import { dialect } from './sql-database.ts'

const { state, after } = snapshotReads(dialect)

/** Reads each snapshot in a transaction, which sees what was committed before its first read. */
export function createReadSnapshot({
  longTransaction,
}: Pick<Database, 'longTransaction'>): DirectoryReads['readSnapshot'] {
  return (directoryId, work) =>
    longTransaction(async (run) => {
      const [[row] = []] = await run([state(directoryId)])
      return row === undefined ? undefined : work(integer(row, 'last_sequence'), partsOf(run, directoryId))
    }, 'snapshot')
}

async function* partsOf(run: RunAll, directoryId: string) {
  for (let passed: number | undefined = 0; passed !== undefined; ) {
    const [rows = []]: Awaited<ReturnType<RunAll>> = await run([after(directoryId, passed)])
    yield rows.map(decodeComparedUser)
    const last = rows[usersPerPart - 1]
    passed = last && integer(last, 'sequence')
  }
}
