import assert from 'node:assert/strict'
import { createKeyedMutex } from '../../../../src/concurrency/keyed-mutex.ts'
import type { Directory } from '../../../../src/directory/directory.ts'
import { newSecret } from '../../../../src/directory/secret.ts'
import { errorResponseOf } from '../../../../src/error-response.ts'
import { createGoogleDirectories } from '../../../../src/google/google-directories.ts'
import type { SyncRunView } from '../../../../src/google/sync/run-view.ts'
import type { Started } from '../../../../src/google/sync/runs.ts'
import { newId } from '../../../../src/ids/new-id.ts'
import type { FakeGoogle } from '../../../../tools/fake-google/server.ts'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { testAudited, testCaller } from '../../../support/audited.ts'
import type { ReceivedEvent } from '../../../support/receiver.ts'
import type { Replica } from '../../../support/replica.ts'
import type { PulledStore } from './pulled-store.ts'
import { eventsOf, replicaOf } from './stored-replica.ts'

export interface CompanyOptions {
  /** The only domain to sync. Default: all. */
  readonly domain?: string | undefined
  /** Default: 100, which holds no deletions. */
  readonly maxDeletePercent?: number | undefined
}

/** A customer with its own fake Google and directory. Delays advance only their clock. */
export interface PulledCompany extends AsyncDisposable {
  readonly google: FakeGoogle
  readonly directoryId: string
  readonly clock: () => number
  /** Syncs and returns the ended run. */
  sync(): Promise<SyncRunView>
  /** Approves a held run. */
  approve(runId: string): Promise<SyncRunView>
  /** Consents again, as an administrator would. */
  reconnect(): Promise<void>
  isAuthorizationNeeded(): Promise<boolean>
  /** All events so far. */
  events(): Promise<ReceivedEvent[]>
  /** The events since the last call. */
  newEvents(): Promise<ReceivedEvent[]>
  replica(): Promise<Replica>
}

const startedAt = Date.UTC(2026, 0, 5)
export const companyDomains = ['example.com', 'example.org'] as const

/** Starts a fake Google with an empty Workspace and connects a directory to it. */
export async function openCompany(pulled: PulledStore, options: CompanyOptions = {}): Promise<PulledCompany> {
  const { store } = pulled
  let now = startedAt
  let lastSequence = 0
  const clock = () => now
  await using opening = new AsyncDisposableStack()
  const google = opening.use(await startFakeGoogle({ clock, domains: companyDomains }))
  const directories = pulled.directoriesAt(clock)
  // Only internal errors are logged as errors.
  const ourFaults: object[] = []
  const { clientId, clientSecret, authUrl, tokenUrl, apiUrl } = google
  const { maxDeletePercent = 100, domain } = options
  const pulling = createGoogleDirectories({
    ...{ store, directories, mutex: createKeyedMutex(), audited: testAudited, clock, newId },
    options: { clientId, clientSecret, authUrl, tokenUrl, apiUrl, maxDeletePercent, intervalMs: 0 },
    externalUrl: () => 'https://rollcall.example.com',
    authorizationKey: newSecret(),
    schedule: () => () => undefined,
    async sleep(ms, signal) {
      signal.throwIfAborted()
      now += ms
    },
    messageOf: (error) => errorResponseOf(error)?.message,
    onCommit: () => undefined,
    onRunEnd: () => undefined,
    log: { info: () => undefined, warn: () => undefined, error: (details) => void ourFaults.push(details) },
  })
  const { id: directoryId } = await directories.create(
    { ...newDirectory, ...(domain && { extdir_domain: domain }) },
    testCaller,
  )

  async function reconnect(): Promise<void> {
    const { accessToken, refreshToken } = google.issueTokens()
    const tokens = { extdir_access_token: accessToken, extdir_refresh_token: refreshToken }
    await directories.update(directoryId, tokens, testCaller)
  }

  async function ended(started: Started): Promise<SyncRunView> {
    const run = await started.ended
    assert.deepEqual(ourFaults.splice(0), [], 'no error of ours is logged')
    return run
  }

  async function stored(): Promise<Directory> {
    return directories.get(directoryId)
  }

  opening.defer(() => pulling.close())
  await reconnect()
  const closing = opening.move()
  return {
    ...{ google, directoryId, clock, reconnect },
    async sync() {
      now += 60_000
      return ended(await pulling.syncRuns.start(directoryId, 'api', testCaller))
    },
    async approve(runId) {
      return ended(await pulling.syncRuns.approve(directoryId, runId, 'api', testCaller))
    },
    isAuthorizationNeeded: async () => (await stored()).google?.authorizationNeeded !== undefined,
    events: async () => eventsOf(store, await stored(), 0),
    async newEvents() {
      const events = await eventsOf(store, await stored(), lastSequence)
      lastSequence = events.at(-1)?.sequence ?? lastSequence
      return events
    },
    replica: () => replicaOf(store, directoryId),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

const newDirectory = { tenant: 'acme', product: 'crm', type: 'extdir' }
