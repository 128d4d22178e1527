import type { Schedule } from '../concurrency/schedule.ts'
import { sleep } from '../concurrency/schedule.ts'
import type { Audited, Caller } from '../directory/audit.ts'
import type { Directories } from '../directory/directories.ts'
import type { ChosenGroup, Directory } from '../directory/directory.ts'
import { DirectoryError } from '../directory/errors.ts'
import { googleConnectionOf } from '../directory/google-connection.ts'
import type { OperatorNotices } from '../directory/operator-notice.ts'
import type { Provisioning } from '../provisioning/lifecycle.ts'
import type { Authorization } from './authorization/consent.ts'
import { createAuthorization } from './authorization/consent.ts'
import type { DirectoryTokens } from './authorization/tokens.ts'
import { createDirectoryTokens, isSameConsent } from './authorization/tokens.ts'
import { readAccount } from './client/account.ts'
import { GoogleFailure } from './client/failure.ts'
import type { TokenSource } from './client/oauth.ts'
import { createGoogleOAuth } from './client/oauth.ts'
import type { PaceOptions } from './client/pace.ts'
import { createPace } from './client/pace.ts'
import { createWorkspace } from './client/workspace.ts'
import type { GoogleStore } from './google-store.ts'
import { createPulledHolds } from './sync/holds.ts'
import { createSyncInterval } from './sync/interval.ts'
import type { Pull } from './sync/run.ts'
import { SyncStopped } from './sync/run.ts'
import type { OnRunEnd, SyncLog } from './sync/runner.ts'
import { createSyncRunner } from './sync/runner.ts'
import type { SyncRuns } from './sync/runs.ts'
import { createSyncRuns } from './sync/runs.ts'
import { syncDirectory } from './sync/sync.ts'

/** The settings of pulled directories. */
export interface GoogleOptions {
  /** The OAuth client in the operator's Google project; without it, only service accounts can connect. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** The page where administrators consent. */
  readonly authUrl: string
  readonly tokenUrl: string
  /** The root of the Directory API, before `/admin/directory/v1`. */
  readonly apiUrl: string
  /** The percentage of users or groups that a sync may delete without approval. */
  readonly maxDeletePercent: number
  /** The interval between the starts of a directory's automatic syncs; 0 means none. */
  readonly intervalMs: number
}

export interface GoogleDirectoriesParts {
  readonly store: GoogleStore & Provisioning['store'] & { getDirectory(id: string): Promise<Directory | undefined> }
  readonly directories: Directories
  readonly mutex: Provisioning['mutex']
  readonly recognize?: Provisioning['recognize']
  readonly audited: Audited
  readonly options: GoogleOptions
  /** The key of OAuth states and authorization URLs; see `AuthorizationParts`. */
  readonly authorizationKey: string
  /** The public address of the service, without a trailing slash. */
  readonly externalUrl: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly newId: () => string
  readonly schedule: Schedule
  /** The wait before a retry of a request to Google; by default a timer. */
  readonly sleep?: PaceOptions['sleep']
  /** The message of a domain or store error; undefined for an internal error, whose message must not be shown. */
  readonly messageOf: (error: unknown) => string | undefined
  /** Called after each commit with events. */
  readonly onCommit: (directory: Directory) => void
  readonly onRunEnd: OnRunEnd
  readonly notices?: OperatorNotices | undefined
  readonly log: SyncLog
}

/** Everything for pulled directories: consent, and sync runs. */
export interface GoogleDirectories {
  readonly authorization: Authorization
  readonly syncRuns: SyncRuns
  readonly holds: ReturnType<typeof createPulledHolds>
  /** Starts automatic syncs if an interval is configured. */
  start(): void
  /** Stops all runs; resolves when their ends are recorded. */
  close(): Promise<void>
}

/** Composes the parts that pull directories from Google Workspace. */
export function createGoogleDirectories(parts: GoogleDirectoriesParts): GoogleDirectories {
  const { store, directories, options, clock, newId, schedule, notices, log } = parts
  const { clientId, clientSecret, authUrl, tokenUrl, intervalMs } = options
  const pacing = { now: clock, sleep: parts.sleep ?? sleep, random: Math.random }
  const closing = new AbortController()
  const oauth = createGoogleOAuth({ clientId, clientSecret, authUrl, tokenUrl, ...pacing, signal: closing.signal })
  const tokens = createDirectoryTokens({ directories, oauth, clock })
  const runner = createSyncRunner({
    ...{ store, clock, newId, schedule, notices, log },
    pull: createPull(parts, tokens, pacing),
    failureOf: (error, directory) => failureOf(parts, error, directory),
    getDirectory: (id) => store.getDirectory(id),
    onEvents: parts.onCommit,
    onRunEnd: parts.onRunEnd,
  })
  const syncRuns = createSyncRuns({ store, directories, runner, audited: parts.audited, clock, log })
  const interval = intervalMs > 0 ? createSyncInterval({ runs: syncRuns, intervalMs, clock, schedule, log }) : undefined
  return {
    authorization: createAuthorization({
      ...{ store, directories, externalUrl: parts.externalUrl, clock, newId, key: parts.authorizationKey },
      ...createAccountReads(options.apiUrl, tokens, pacing, closing.signal),
      oauth: clientId === undefined || clientSecret === undefined ? undefined : oauth,
      onConnected: (directory, caller) => syncAfterConsent(syncRuns, directory, caller, log),
    }),
    syncRuns,
    holds: createPulledHolds({
      ...{ store, directories, syncRuns, audited: parts.audited, clock },
      maxDeletePercent: options.maxDeletePercent,
    }),
    start: () => interval?.start(),
    async close() {
      await interval?.close()
      closing.abort(new SyncStopped('The service is stopping.'))
      await runner.close()
    },
  }
}

/** Starts the first sync of a consent. If that fails, the consent is stored all the same. */
async function syncAfterConsent(runs: SyncRuns, { id }: Directory, caller: Caller, log: SyncLog): Promise<void> {
  try {
    await runs.start(id, 'consent', caller)
  } catch (error) {
    if (error instanceof DirectoryError) log.info({ directoryId: id, reason: error.message }, 'no sync after a consent')
    else log.error({ directoryId: id, err: error }, 'the sync after a consent could not be started')
  }
}

/** Fails sooner than a sync, because a person may be waiting for the result. */
const tries = { maxConcurrent: 1, maxTries: 3, maxRetryAfterMs: 10_000 } as const

/** Reads the Workspace of a token or of a directory. */
function createAccountReads(apiUrl: string, tokens: DirectoryTokens, pacing: PaceOptions, signal: AbortSignal) {
  const read = (source: TokenSource, domain: string | undefined) =>
    readAccount(
      { apiUrl, tokens: source, pace: createPace({ ...pacing, ...tries }), signal, onRequest: () => {} },
      domain,
    )
  return {
    accountOf: (accessToken: string, domain: string | undefined) => read(fixedToken(accessToken), domain),
    connectedAccount: (directoryId: string) => read(tokens.tokensOf(directoryId), undefined),
  }
}

/** The source of a token that was just issued and cannot be renewed yet. */
function fixedToken(accessToken: string): TokenSource {
  return {
    token: async () => accessToken,
    async renewed() {
      throw new GoogleFailure('unavailable', 'Google rejected the token that it has just issued.')
    },
  }
}

/** Creates the function that syncs one directory with its Workspace. */
function createPull(
  { store, directories, mutex, recognize, options, clock, log }: GoogleDirectoriesParts,
  tokens: DirectoryTokens,
  pacing: PaceOptions,
): Pull {
  return async (task) => {
    const { directory, tally, signal } = task
    let customer: string | undefined
    const workspace = createWorkspace({
      ...{ apiUrl: options.apiUrl, domain: directory.google?.domain },
      ...{ tokens: tokens.tokensOf(directory.id), pace: createPace(pacing), signal },
      onRequest: () => tally.count('requests'),
      onCustomer(id) {
        customer ??= id
      },
    })
    const outcome = await syncDirectory({
      ...task,
      recordGroups: (groups) => recordGroups(directories, directory, groups),
      ...{ runId: task.run.id, workspace, store, provisioning: { store, mutex, recognize }, clock, log },
      maxDeletePercent: options.maxDeletePercent,
    })
    if (outcome.state === 'completed') await recordWorkspace(directories, directory, customer)
    return outcome
  }
}

/** Records the Workspace that a directory was synced with, so that the next consent can be compared with it. */
async function recordWorkspace(
  directories: Directories,
  { id, google: before }: Directory,
  workspace: string | undefined,
): Promise<void> {
  if (before === undefined || before.workspace !== undefined || workspace === undefined) return
  await directories.changeGoogleConnection(id, (now) =>
    now.workspace === undefined && isSameConsent(now, before) ? { ...now, workspace } : now,
  )
}

/** Records the ids of the chosen groups, and which of them are gone, unless others are chosen by now. */
async function recordGroups(
  directories: Directories,
  { id, google }: Directory,
  groups: readonly ChosenGroup[],
): Promise<void> {
  const isKnown = JSON.stringify(google?.groups ?? []) === JSON.stringify(groups)
  if (isKnown) return
  const keys = (chosen: readonly ChosenGroup[] = []) => chosen.map(({ key }) => key).join()
  await directories.changeGoogleConnection(id, (now) => (keys(now.groups) === keys(groups) ? { ...now, groups } : now))
}

/**
 * The message of a failure, if it may be shown. Marks the directory if its administrator has to authorize it again,
 * unless that happened in the meantime.
 */
async function failureOf(
  { directories, messageOf }: Pick<GoogleDirectoriesParts, 'directories' | 'messageOf'>,
  error: unknown,
  directory: Directory,
): Promise<string | undefined> {
  if (!(error instanceof GoogleFailure)) return messageOf(error)
  if (error.kind === 'needs-authorization') {
    const before = googleConnectionOf(directory)
    await directories.changeGoogleConnection(directory.id, (now) =>
      isSameConsent(now, before) ? { ...now, authorizationNeeded: error.message } : now,
    )
  }
  return error.message
}
