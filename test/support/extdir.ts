import assert from 'node:assert/strict'
import type { DirectoryView } from '../../src/directory/directory-view.ts'
import type { SyncRunView } from '../../src/google/sync/run-view.ts'
import type { FakeGoogle, FakeGoogleOptions } from '../../tools/fake-google/server.ts'
import { settingsOf, startFakeGoogle } from '../../tools/fake-google/server.ts'
import type { Client } from './client.ts'
import { eventually } from './eventually.ts'
import type { Engine, TestDatabase, TestService, TestSettings } from './service.ts'
import { startTestService } from './service.ts'

/** A fake Google and a service that pulls from it. */
export interface PulledService extends AsyncDisposable {
  readonly google: FakeGoogle
  readonly service: TestService
}

/** Starts both, on a new or an existing database. */
export async function startPulledService(
  on: Engine | TestDatabase,
  settings: TestSettings = {},
  options: FakeGoogleOptions = {},
): Promise<PulledService> {
  const google = await startFakeGoogle(options)
  const service = await startTestService(on, { ...settingsOf(google), ...settings })
  return {
    google,
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await google[Symbol.asyncDispose]()
    },
  }
}

/** A directory that is connected with the Workspace by tokens. */
export async function connectDirectory(
  client: Client,
  google: FakeGoogle,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<DirectoryView> {
  const { accessToken, refreshToken } = google.issueTokens()
  const tokens = { extdir_access_token: accessToken, extdir_refresh_token: refreshToken }
  return client.createDirectory({ type: 'extdir', ...tokens, ...fields })
}

/** Syncs a directory; returns the run when it has ended, with any result. */
export async function sync(client: Client, { id }: Pick<DirectoryView, 'id'>): Promise<SyncRunView> {
  const { status, body, text } = await client.api('POST', `/${id}/sync?wait=true`)
  assert.equal(status, 200, text)
  return body.data as unknown as SyncRunView
}

/** Waits until the newest run of a directory, which has begun, ends. */
export async function endOfLastSync(client: Client, { id }: Pick<DirectoryView, 'id'>): Promise<SyncRunView> {
  const newest = async () => {
    const { body } = await client.api('GET', `/${id}/sync-runs`)
    return (body.data as unknown as SyncRunView[])[0] ?? assert.fail('there is no run')
  }
  await eventually('the end of the run', async () => (await newest()).state !== 'running')
  return newest()
}

/** Pulls a directory, which must succeed. */
export async function syncWell(client: Client, directory: Pick<DirectoryView, 'id'>): Promise<SyncRunView> {
  const run = await sync(client, directory)
  assert.equal(run.state, 'completed', run.error ?? '')
  return run
}
