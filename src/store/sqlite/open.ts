import type { DatabaseSync } from 'node:sqlite'
import type { TimeSlices } from '../../concurrency/time-slices.ts'
import { createTimeSlices } from '../../concurrency/time-slices.ts'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { fileSystemProblem, localDiskAdvice, readLastBackup } from '../files.ts'
import { checkHealth } from '../health-checks.ts'
import type { StoreLog } from '../log.ts'
import { silentStoreLog } from '../log.ts'
import { purgeDeleted } from '../purge.ts'
import { refuseUnreadable, selectUnreadable } from '../reseal.ts'
import { integer, text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { createSharedParts } from '../shared-parts.ts'
import type { Store } from '../store.ts'
import { stoppedError } from '../sync-runs.ts'
import { createWriteProbe } from '../write-probe.ts'
import { createFileBackups } from './backup.ts'
import { createDirectoryGate, createWriteDirectory } from './directory-writes.ts'
import { createDiskSync } from './disk-sync.ts'
import { openFile } from './file.ts'
import type { GroupCommit } from './group-commit.ts'
import { createGroupCommit } from './group-commit.ts'
import { migrate } from './migrate.ts'
import { createOverwriting } from './overwrite.ts'
import { sqliteProvisioning } from './provisioning.ts'
import { searchEngine } from './search.ts'
import { shrinkFile } from './shrink.ts'
import { createRunStatement, createSqlDatabase } from './sql-database.ts'
import { createUserSnapshots } from './user-snapshots.ts'
import { createCommit, createCommitParts } from './write/commit.ts'

/**
 * Opens the embedded database; creates and migrates it as needed. Only one process at a time can open the file.
 *
 * @param file a path, or `:memory:`
 * @param onPurgeError called when purging a deleted directory, giving its space back, or cleaning up after a large change fails in the background; the next start continues
 * @param removalLimit of directories without one of their own; null: none
 * @param slices those of the process
 * @throws DatabaseInUse when another process has opened the file
 * @throws Error when a newer version migrated it, or none of the keys decrypts one of its secrets
 */
export function openSqliteStore(
  file: string,
  sealing: Sealing,
  onPurgeError: (error: unknown) => void,
  removalLimit: RemovalLimit | null = null,
  slices: TimeSlices = createTimeSlices(),
  log: StoreLog = silentStoreLog,
): Store {
  const db = openFile(file)
  prepareFile(db, sealing, log)
  const problem = file === ':memory:' ? undefined : fileSystemProblem(file)
  if (problem !== undefined) log.warn({}, `${problem}. ${localDiskAdvice}`)
  const disk = createDiskSync(db)
  const commits = createGroupCommit(db, disk)
  const gate = createDirectoryGate()
  const run = createRunStatement(db)
  const shared = createSqlDatabase(run, commits.write)
  const records = createSqlDatabase(run, commits.writeSoon)
  const { readSnapshot, keepingUsers } = createUserSnapshots(run)
  const { readFacts, writeRows } = createCommitParts(db, run)
  const commitParts = { readFacts, writeRows: keepingUsers(writeRows) }
  const commit = createCommit(createWriteDirectory(db, commits, gate.whenOpen), commitParts)
  const provisioningParts = { run, commitParts, commits, gate, slices, onError: onPurgeError }
  const provisioning = sqliteProvisioning(db, provisioningParts)
  const version = integer(db.prepare('pragma user_version').get() ?? {}, 'user_version')
  const probeWrites = createWriteProbe(() => commits.writeSoon(() => db.exec(`pragma user_version = ${version}`)))
  const backups = createFileBackups(db)
  const { overwrite: overwriteErased, end: endOverwriting } = createOverwriting(db)

  let closed = false
  const clean = createCleaning(db, commits, (error) => {
    if (!closed) onPurgeError(error)
  })
  const purge = () => {
    clean(() => purgeDeleted(shared))
    clean(shrinkFile)
  }
  purge()

  const parts = createSharedParts({
    ...{ database: shared, background: shared, records, commit, provisioning, slices, sealing, purge, removalLimit },
    searchEngine: searchEngine(db),
  })

  return {
    ...parts,
    readSnapshot,
    ...shrinkingAfter(parts, () => clean(shrinkFile)),
    // No other process opens the file.
    publishNotice: async () => {},
    onNotice: () => () => {},
    overwriteErased,
    ping: () => (commits.trouble() === undefined ? probeWrites() : probeDisk(db, commits)),
    readClock: undefined,
    countConnections: () => [],
    lastBackupAt: () => readLastBackup(file),
    backup: backups.backup,
    async close() {
      if (closed) return
      await backups.stop()
      if (closed) return
      commits.flush()
      closed = true
      disk.end()
      db.close()
      endOverwriting()
    },
  }
}

/** Gives the space of a directory's old events back when the last of them is removed. */
function shrinkingAfter(
  { removeEvents }: Pick<Store, 'removeEvents'>,
  shrink: () => void,
): Pick<Store, 'removeEvents'> {
  return {
    async removeEvents(directoryId, which) {
      const next = await removeEvents(directoryId, which)
      if (next === undefined) shrink()
      return next
    },
  }
}

/** Runs work in the background, one piece after the other. */
function createCleaning(db: DatabaseSync, commits: GroupCommit, onError: (error: unknown) => void) {
  let cleaning = Promise.resolve()
  return (work: (db: DatabaseSync, commits: GroupCommit) => Promise<void>): void => {
    cleaning = cleaning.then(() => work(db, commits)).catch(onError)
  }
}

/** Rejects while the file cannot grow, as when the disk is full. Leaves nothing but free pages, which the next writes use. */
async function probeDisk(db: DatabaseSync, { write }: GroupCommit): Promise<void> {
  await write(() =>
    db.exec(`create table disk_probe (bytes blob); insert into disk_probe values (zeroblob(${probeBytes}));
      drop table disk_probe`),
  )
}

const probeBytes = 65_536

/** Only one process opens the file: a sync run that is unfinished when it is opened has stopped. */
function failUnfinishedRuns(db: DatabaseSync): void {
  const running = db.prepare(`select directory_id from sync_runs where state = 'running' and directory_id >= ''`)
  const run = createRunStatement(db)
  for (const row of running.all()) run(checkHealth(text(row, 'directory_id')))
  const fail = db.prepare(`update sync_runs set state = 'failed', error = ?, finished_at = ? where state = 'running'`)
  fail.run(stoppedError, Date.now())
}

/** Likewise, the holders of leases have stopped. */
function endLeases(db: DatabaseSync): void {
  db.exec('update delivery_streams set lease_holder = null, lease_expires_at = null where lease_holder is not null')
}

function prepareFile(db: DatabaseSync, sealing: Sealing, log: StoreLog): void {
  try {
    migrate(db, { log })
    refuseUnreadable(createRunStatement(db)(selectUnreadable(sealing.keyIds)))
    failUnfinishedRuns(db)
    endLeases(db)
  } catch (error) {
    db.close()
    throw error
  }
}
