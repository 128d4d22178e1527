import type { Schedule } from '../concurrency/schedule.ts'
import { sleep } from '../concurrency/schedule.ts'
import type { Audited } from '../directory/audit.ts'
import type { Directories } from '../directory/directories.ts'
import type { Directory } from '../directory/directory.ts'
import { googleConnectionOf } from '../directory/google-connection.ts'
import type { Provisioning } from '../provisioning/lifecycle.ts'
import type { Authorization } from './authorization/authorization.ts'
import { createAuthorization } from './authorization/authorization.ts'
import { isSameConsent } from './authorization/current-token.ts'
import { createTokenKeeper } from './authorization/token-keeper.ts'
import { GoogleFailure } from './client/failure.ts'
import { createGoogleOAuth } from './client/oauth.ts'
import type { PaceOptions } from './client/pace.ts'
import { createPace } from './client/pace.ts'
import { createWorkspace } from './client/workspace-client.ts'
import type { ExtdirOptions } from './options.ts'
import { google } from './options.ts'
import type { ExtdirStore } from './store.ts'
import { createSyncInterval } from './sync/interval.ts'
import type { Pull } from './sync/pull.ts'
import { reconcile } from './sync/reconcile.ts'
import type { OnRunEnd, SyncLog } from './sync/runner.ts'
import { createSyncRunner } from './sync/runner.ts'
import { SyncStopped } from './sync/stop.ts'
import type { SyncRuns } from './sync/sync-runs.ts'
import { createSyncRuns } from './sync/sync-runs.ts'

export interface PulledDirectoriesParts {
  readonly store: ExtdirStore & Provisioning['store'] & { getDirectory(id: string): Promise<Directory | undefined> }
  readonly directories: Directories
  readonly inTurn: Provisioning['inTurn']
  readonly audited: Audited
  readonly options: ExtdirOptions
  /** Where others reach the service, without a slash at the end. */
  readonly externalUrl: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly newId: () => string
  readonly schedule: Schedule
  /** How a request to Google waits for its repetition; in real time when left out. */
  readonly sleep?: PaceOptions['sleep']
  /** What an error of the domain or the store says to others; undefined when it is nobody's but ours. */
  readonly messageOf: (error: unknown) => string | undefined
  /** Told after each commit that made events. */
  readonly onCommit: (directory: Directory) => void
  readonly onRunEnd: OnRunEnd
  readonly log: SyncLog
}

/** All that directories need that are pulled. */
export interface PulledDirectories {
  readonly authorization: Authorization
  readonly syncRuns: SyncRuns
  /** Starts syncs by themselves, where that is configured. */
  start(): void
  /** Stops what runs, and records that. */
  close(): Promise<void>
}

/** Puts together what pulls directories from Google Workspace. */
export function createPulledDirectories(parts: PulledDirectoriesParts): PulledDirectories {
  const { store, directories, options, clock, newId, schedule, log } = parts
  const { clientId, clientSecret, authUrl = google.authUrl, tokenUrl = google.tokenUrl } = options
  const pacing = { now: clock, sleep: parts.sleep ?? sleep, random: Math.random }
  const closing = new AbortController()
  const { signal: closed } = closing
  const oauth = createGoogleOAuth({ clientId, clientSecret, authUrl, tokenUrl, ...pacing, signal: closed })
  const keeper = createTokenKeeper({ directories, oauth, clock })

  const pull: Pull = async (task) => {
    const { directory, tally, signal } = task
    const workspace = createWorkspace({
      ...{ apiUrl: options.apiUrl ?? google.apiUrl, domain: directory.google?.domain },
      ...{ tokens: keeper.tokensOf(directory.id), pace: createPace(pacing), signal },
      onRequest: () => tally.count('requests'),
    })
    return reconcile({
      ...task,
      ...{ runId: task.run.id, workspace, store, provisioning: { store, inTurn: parts.inTurn }, clock, log },
      maxDeletePercent: options.maxDeletePercent ?? 30,
    })
  }

  /** Tells a failure, and marks a directory whose administrator has to consent anew, unless that happened meanwhile. */
  async function failureOf(error: unknown, directory: Directory): Promise<string | undefined> {
    if (!(error instanceof GoogleFailure)) return parts.messageOf(error)
    if (error.kind === 'needs-authorization') {
      const before = googleConnectionOf(directory)
      await directories.changeGoogleConnection(directory.id, (now) =>
        isSameConsent(now, before) ? { ...now, authorizationNeeded: error.message } : now,
      )
    }
    return error.message
  }

  const runner = createSyncRunner({
    ...{ store, pull, failureOf, clock, newId, schedule, log },
    getDirectory: (id) => store.getDirectory(id),
    onEvents: parts.onCommit,
    onRunEnd: parts.onRunEnd,
  })
  const syncRuns = createSyncRuns({ store, directories, runner, audited: parts.audited, clock, log })
  const { intervalMs } = options
  const interval = intervalMs ? createSyncInterval({ runs: syncRuns, intervalMs, clock, schedule, log }) : undefined

  return {
    authorization: createAuthorization({
      ...{ store, directories, externalUrl: parts.externalUrl, clock, newId },
      oauth: clientId === undefined || clientSecret === undefined ? undefined : oauth,
    }),
    syncRuns,
    start: () => interval?.start(),
    async close() {
      await interval?.close()
      closing.abort(new SyncStopped('The service is stopping.'))
      await runner.close()
    },
  }
}
