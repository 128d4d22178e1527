import type { AuditAction, Audited, Caller } from '../../directory/audit.ts'
import { directoryTarget } from '../../directory/audit.ts'
import type { Directories } from '../../directory/directories.ts'
import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { PagingInput } from '../../directory/inputs.ts'
import type { Page } from '../../reads/page.ts'
import { pagingOf, parseQuery } from '../../reads/paging.ts'
import type { GoogleStore, SyncDue, SyncRun, SyncTrigger } from '../google-store.ts'
import type { HeldDeletion } from './run-list.ts'
import { heldPage, runPage } from './run-list.ts'
import type { SyncRunView } from './run-view.ts'
import { syncRunView } from './run-view.ts'
import type { StartedRun, StartRequest, SyncLog, SyncRunner } from './runner.ts'

/** Awaited with the events of each commit of a run. */
export type OnSyncEvents = (directory: Directory, events: readonly StoredEvent[]) => Promise<void>

export interface SyncRunsParts {
  readonly store: Pick<
    GoogleStore,
    'getSyncRun' | 'listSyncRuns' | 'listHeld' | 'directoriesToSync' | 'directoriesDueToSync'
  >
  readonly directories: Pick<Directories, 'get'>
  readonly runner: Pick<SyncRunner, 'start'>
  readonly audited: Audited
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly log: Pick<SyncLog, 'error'>
}

export interface Started {
  readonly run: SyncRunView
  /** The run after it has ended. Never rejects. */
  readonly ended: Promise<SyncRunView>
}

/** A directory whose sync was not started, and the reason in a sentence. */
export interface SkippedDirectory {
  readonly directory_id: string
  readonly reason: string
}

export interface StartedAll {
  readonly started: readonly Started[]
  readonly skipped: readonly SkippedDirectory[]
}

/** Starts the syncs of all directories. */
export interface StartAll {
  readonly trigger: SyncTrigger
  /** Only directories that are connected and whose last run started at this time or earlier; undefined: all. */
  readonly unlessSince?: number | undefined
  readonly onEvents?: OnSyncEvents | undefined
}

/** The sync runs as the API offers them. Queries use the API's field names and are validated here. */
export type SyncRuns = ReturnType<typeof createSyncRuns>

const directoriesPerRead = 100

export function createSyncRuns(parts: SyncRunsParts) {
  const { store } = parts
  return {
    /**
     * Starts a run of one directory.
     *
     * @throws DirectoryError `directory-not-found`, `directory-deactivated`, `needs-authorization`, `already-running`, and
     *   `invalid-input` for a directory that is not pulled
     */
    async start(id: string, trigger: SyncTrigger, caller: Caller, onEvents?: OnSyncEvents): Promise<Started> {
      return startRun(parts, id, 'directory.sync_started', caller, { trigger, onEvents })
    },
    /** Starts a run of every requested directory; those that cannot start are skipped. */
    async startAll(request: StartAll): Promise<StartedAll> {
      const [started, skipped]: [Started[], SkippedDirectory[]] = [[], []]
      for await (const id of idsToSync(store, request)) {
        const result = await startOrSkip(parts, id, request)
        if ('reason' in result) skipped.push(result)
        else if (result.outcome === 'begun') started.push(startedView(result))
        else if (result.outcome === 'running') skipped.push({ directory_id: id, reason: alreadyRunning })
      }
      return { started, skipped }
    },
    /**
     * Starts a held run again with its deletions approved: it reads Google again, and deletes the users and groups that
     * are still missing there.
     *
     * @throws DirectoryError those of `start`; `resource-not-found`, and `not-held` for a run without held deletions
     */
    async approve(id: string, runId: string, trigger: SyncTrigger, caller: Caller): Promise<Started> {
      await getRun(parts, id, runId)
      return startRun(parts, id, 'directory.sync_approved', caller, { trigger, heldRunId: runId })
    },
    /** @throws DirectoryError `directory-not-found`, `resource-not-found`, `invalid-input` */
    async get(id: string, runId: string): Promise<SyncRunView> {
      return syncRunView(await getRun(parts, id, runId))
    },
    /**
     * The runs of a directory, newest first.
     *
     * @throws DirectoryError `directory-not-found`, `invalid-input`
     */
    async list(id: string, query: unknown): Promise<Page<SyncRunView>> {
      const paging = pagingOf(parseQuery(PagingInput, query))
      const directory = await pulledDirectory(parts, id)
      return runPage(store, directory.id, paging)
    },
    /**
     * The deletions that a run holds, users first.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found`, `invalid-input`
     */
    async held(id: string, runId: string, query: unknown): Promise<Page<HeldDeletion>> {
      const paging = pagingOf(parseQuery(PagingInput, query))
      return heldPage(store, await getRun(parts, id, runId), paging)
    },
  }
}

/** @throws DirectoryError `directory-not-found`, and `invalid-input` for a directory that is not pulled */
async function pulledDirectory({ directories }: SyncRunsParts, id: string): Promise<Directory> {
  const directory = await directories.get(id)
  if (directory.google !== undefined) return directory
  throw new DirectoryError('invalid-input', 'This directory is provisioned over SCIM: only type extdir is pulled.')
}

async function getRun(parts: SyncRunsParts, directoryId: string, runId: string): Promise<SyncRun> {
  const { id } = await pulledDirectory(parts, directoryId)
  const run = await parts.store.getSyncRun(id, runId)
  if (run === undefined) throw new DirectoryError('resource-not-found', 'This directory has no such sync run.')
  return run
}

async function startRun(
  parts: SyncRunsParts,
  id: string,
  action: AuditAction,
  caller: Caller,
  request: Omit<StartRequest, 'directory' | 'audit'>,
): Promise<Started> {
  const directory = await pulledDirectory(parts, id)
  const problem = startProblem(directory)
  if (problem !== undefined) throw problem
  const audit = parts.audited({ action, caller, target: directoryTarget(directory), at: parts.clock() })
  return requireBegun(await parts.runner.start({ ...request, directory, audit }))
}

async function startOrSkip(
  { directories, runner, log }: SyncRunsParts,
  id: string,
  request: StartAll,
): Promise<StartedRun | SkippedDirectory> {
  try {
    const directory = await directories.get(id)
    const problem = startProblem(directory)
    if (problem !== undefined) return { directory_id: id, reason: problem.message }
    return await runner.start({ ...request, directory })
  } catch (error) {
    log.error({ directoryId: id, err: error }, 'a sync run could not be started')
    return { directory_id: id, reason: 'It could not be started: see the log.' }
  }
}

/** The reason why a directory cannot be synced in its current state; undefined if it can. */
function startProblem({ deactivated, google }: Directory): DirectoryError | undefined {
  if (deactivated) return new DirectoryError('directory-deactivated', 'This directory is deactivated and not synced.')
  if (google?.authorizationNeeded !== undefined) {
    const remedy = google.serviceAccount ? setServiceAccount : consent
    return new DirectoryError('needs-authorization', `${google.authorizationNeeded} ${remedy}`)
  }
  const hasTokens = (google?.refreshToken ?? google?.accessToken) !== undefined
  if (hasTokens || google?.serviceAccount !== undefined) return undefined
  return new DirectoryError('needs-authorization', `This directory is not connected yet. ${consent}`)
}

const consent = 'An administrator of the customer has to open its extdir_authorization_url and consent.'
const setServiceAccount = 'After fixing that, set extdir_service_account again.'

const alreadyRunning = 'A sync of this directory is already running.'

/** @throws DirectoryError if the run was not started */
function requireBegun(result: StartedRun): Started {
  switch (result.outcome) {
    case 'begun':
      return startedView(result)
    case 'directory-not-found':
      throw new DirectoryError('directory-not-found', 'There is no such directory.')
    case 'not-held':
      throw new DirectoryError('not-held', 'This run holds no deletions: only a held run can be approved.')
    default:
      throw new DirectoryError('already-running', `${alreadyRunning} Nothing was done.`)
  }
}

function startedView({ run, ended }: Extract<StartedRun, { outcome: 'begun' }>): Started {
  return { run: syncRunView(run), ended: ended.then(syncRunView) }
}

async function* idsToSync(store: SyncRunsParts['store'], { unlessSince }: StartAll) {
  if (unlessSince === undefined) yield* inPages((after: string = '', limit) => store.directoriesToSync(after, limit))
  else {
    const due = inPages((after: SyncDue | undefined, limit) => store.directoriesDueToSync(unlessSince, after, limit))
    for await (const { id } of due) yield id
  }
}

async function* inPages<T>(read: (after: T | undefined, limit: number) => Promise<T[]>) {
  for (let page: T[], after: T | undefined; ; after = page.at(-1)) {
    page = await read(after, directoriesPerRead)
    yield* page
    if (page.length < directoriesPerRead) return
  }
}
