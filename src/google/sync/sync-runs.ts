import type { AuditAction, Audited, Caller } from '../../directory/audit.ts'
import { directoryTarget } from '../../directory/audit.ts'
import type { Directories } from '../../directory/directories.ts'
import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { Paging, RowPage } from '../../directory/listing.ts'
import { parsePaging } from '../../directory/listing.ts'
import type { ExtdirStore, HeldKind, SyncRunPosition } from '../store.ts'
import type { SyncRunAnswer } from './answer.ts'
import { syncRunAnswer } from './answer.ts'
import { obstacleTo } from './obstacle.ts'
import type { SyncRun, SyncTrigger } from './run.ts'
import type { HeldPosition } from './run-token.ts'
import { readHeldToken, readRunToken, writeHeldToken, writeRunToken } from './run-token.ts'
import type { StartedRun, SyncLog, SyncRunner } from './runner.ts'

/** Awaited with each event of a run, after its commit. */
export type OnSyncEvents = (directory: Directory, events: readonly StoredEvent[]) => Promise<void>

export interface SyncRunsParts {
  readonly store: Pick<ExtdirStore, 'getSyncRun' | 'listSyncRuns' | 'listHeld' | 'directoriesToSync'>
  readonly directories: Pick<Directories, 'get'>
  readonly runner: Pick<SyncRunner, 'start'>
  readonly audited: Audited
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly log: Pick<SyncLog, 'error'>
}

/** A run that was started, and what it will have been. */
export interface Started {
  readonly run: SyncRunAnswer
  /** Never rejects. */
  readonly ended: Promise<SyncRunAnswer>
}

/** A directory that no run was started for, and why, in a sentence. */
export interface SkippedDirectory {
  readonly directory_id: string
  readonly reason: string
}

/** What a start of all directories came to. */
export interface StartedAll {
  readonly started: readonly Started[]
  readonly skipped: readonly SkippedDirectory[]
}

/** How all directories are started. */
export interface StartAll {
  readonly trigger: SyncTrigger
  /** Directories whose last run began after this time are left out. */
  readonly unlessSince?: number | undefined
  readonly onEvents?: OnSyncEvents | undefined
}

export interface HeldDeletion {
  readonly kind: HeldKind
  readonly id: string
}

/** Sync runs as the product starts, reads and approves them. Queries are in the API's field names and are checked here. */
export type SyncRuns = ReturnType<typeof createSyncRuns>

const directoriesPerRead = 100
/** No directory keeps more runs. */
const maxRuns = 1_000

export function createSyncRuns({ store, directories, runner, audited, clock, log }: SyncRunsParts) {
  const written = (directory: Directory, action: AuditAction, caller: Caller) =>
    audited({ action, caller, target: directoryTarget(directory), at: clock() })

  /** @throws DirectoryError `directory-not-found`, and `invalid-input` for a directory that is not pulled */
  async function pulled(id: string): Promise<Directory> {
    const directory = await directories.get(id)
    if (directory.google !== undefined) return directory
    throw new DirectoryError('invalid-input', 'This directory is provisioned over SCIM: only type extdir is pulled.')
  }

  /** @throws DirectoryError when the directory cannot be read from as it is */
  async function ready(id: string): Promise<Directory> {
    const directory = await pulled(id)
    const obstacle = obstacleTo(directory)
    if (obstacle !== undefined) throw obstacle
    return directory
  }

  async function find(directoryId: string, runId: string): Promise<SyncRun> {
    const { id } = await pulled(directoryId)
    const run = await store.getSyncRun(id, runId)
    if (run === undefined) throw new DirectoryError('resource-not-found', 'This directory has no such sync run.')
    return run
  }

  async function startOf(id: string, request: StartAll): Promise<StartedRun | SkippedDirectory> {
    const directory = await directories.get(id)
    const obstacle = obstacleTo(directory)
    if (obstacle !== undefined) return { directory_id: id, reason: obstacle.message }
    return runner.start({ ...request, directory })
  }

  async function startOrSkip(id: string, request: StartAll): Promise<StartedRun | SkippedDirectory> {
    try {
      return await startOf(id, request)
    } catch (error) {
      log.error({ directoryId: id, err: error }, 'a sync run cannot be started')
      return { directory_id: id, reason: 'It could not be started; the log says why.' }
    }
  }

  return {
    /**
     * Starts a run of one directory.
     *
     * @throws DirectoryError `directory-not-found`, `directory-deactivated`, `needs-authorization`, `already-running`, and
     *   `invalid-input` for a directory that is not pulled
     */
    async start(id: string, trigger: SyncTrigger, caller: Caller, onEvents?: OnSyncEvents): Promise<Started> {
      const directory = await ready(id)
      const audit = written(directory, 'directory.sync_started', caller)
      return begun(await runner.start({ directory, trigger, onEvents, audit }))
    },
    /** Starts a run of every active directory that is pulled; one that cannot be started stops no other. */
    async startAll(request: StartAll): Promise<StartedAll> {
      const [started, skipped]: [Started[], SkippedDirectory[]] = [[], []]
      for await (const id of idsToSync(store)) {
        const answer = await startOrSkip(id, request)
        if ('reason' in answer) skipped.push(answer)
        else if (answer.outcome === 'begun') started.push(startedOf(answer))
        else if (answer.outcome === 'running') skipped.push({ directory_id: id, reason: alreadyRunning })
      }
      return { started, skipped }
    },
    /**
     * Starts a held run again, with its deletions approved: the directory is read anew, and those of them that are still
     * gone are deleted.
     *
     * @throws DirectoryError the same as `start`; `resource-not-found`, and `not-held` for a run that holds nothing
     */
    async approve(id: string, runId: string, trigger: SyncTrigger, caller: Caller): Promise<Started> {
      await find(id, runId)
      const directory = await ready(id)
      const audit = written(directory, 'directory.sync_approved', caller)
      return begun(await runner.start({ directory, trigger, heldRunId: runId, audit }))
    },
    /** @throws DirectoryError `directory-not-found`, `resource-not-found`, `invalid-input` */
    async get(id: string, runId: string): Promise<SyncRunAnswer> {
      return syncRunAnswer(await find(id, runId))
    },
    /**
     * The runs of a directory, newest first.
     *
     * @throws DirectoryError `directory-not-found`, `invalid-input`
     */
    async list(id: string, query: unknown): Promise<RowPage<SyncRunAnswer>> {
      const paging = parsePaging(query)
      const directory = await pulled(id)
      const { after, skip, limit } = partOf(paging)
      const runs = await store.listSyncRuns(directory.id, after, skip + limit + 1)
      const page = runs.slice(skip, skip + limit)
      const last = page.at(-1)
      const hasMore = runs.length > skip + limit && last !== undefined
      return { rows: page.map(syncRunAnswer), pageToken: hasMore ? writeRunToken(last) : undefined }
    },
    /**
     * What a run holds back, users first.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found`, `invalid-input`
     */
    async held(id: string, runId: string, query: unknown): Promise<RowPage<HeldDeletion>> {
      const paging = parsePaging(query)
      const run = await find(id, runId)
      if (paging !== undefined && 'offset' in paging && paging.offset > 0) {
        throw new DirectoryError('invalid-input', 'pageOffset: this list goes on by pageToken only.')
      }
      const from = paging !== undefined && 'token' in paging ? readHeldToken(paging.token) : firstHeld
      return heldPage(store, run, from, paging?.limit ?? maxRuns)
    },
  }
}

const firstHeld: HeldPosition = { kind: 'user', after: '' }

const alreadyRunning = 'A sync of this directory is running already.'

/** @throws DirectoryError for a run that was not begun */
function begun(answer: StartedRun): Started {
  switch (answer.outcome) {
    case 'begun':
      return startedOf(answer)
    case 'directory-not-found':
      throw new DirectoryError('directory-not-found', 'There is no such directory.')
    case 'not-held':
      throw new DirectoryError('not-held', 'This run holds no deletions: only one that is held can be approved.')
    default:
      throw new DirectoryError('already-running', `${alreadyRunning} Nothing was done.`)
  }
}

function startedOf({ run, ended }: Extract<StartedRun, { outcome: 'begun' }>): Started {
  return { run: syncRunAnswer(run), ended: ended.then(syncRunAnswer) }
}

async function* idsToSync(store: Pick<ExtdirStore, 'directoriesToSync'>): AsyncGenerator<string, void, undefined> {
  let after = ''
  for (;;) {
    const ids = await store.directoriesToSync(after, directoriesPerRead)
    yield* ids
    if (ids.length < directoriesPerRead) return
    after = ids.at(-1) ?? after
  }
}

interface RunPart {
  readonly after: SyncRunPosition | undefined
  readonly skip: number
  readonly limit: number
}

function partOf(paging: Paging): RunPart {
  if (paging === undefined) return { after: undefined, skip: 0, limit: maxRuns }
  const { limit } = paging
  if ('token' in paging) return { after: readRunToken(paging.token), skip: 0, limit }
  return { after: undefined, skip: Math.min(paging.offset, maxRuns), limit }
}

async function heldPage(
  store: Pick<ExtdirStore, 'listHeld'>,
  { directoryId, id: runId }: SyncRun,
  { kind, after }: HeldPosition,
  limit: number,
): Promise<RowPage<HeldDeletion>> {
  const found: HeldDeletion[] = []
  for (const one of kind === 'user' ? (['user', 'group'] as const) : (['group'] as const)) {
    const ids = await store.listHeld(directoryId, runId, one, one === kind ? after : '', limit + 1 - found.length)
    found.push(...ids.map((id) => ({ kind: one, id })))
  }
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { rows, pageToken: hasMore ? writeHeldToken({ kind: last.kind, after: last.id }) : undefined }
}
