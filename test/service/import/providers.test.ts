import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importIntoDatabase } from '../../../src/polis/import/command/into-database.ts'
import type { ImportMode } from '../../../src/polis/import/context.ts'
import { openPolisSource } from '../../../src/polis/import/source/open.ts'
import type { TestDatabase, TestService } from '../../support/service.ts'
import { openTestDatabase, startTestService } from '../../support/service.ts'
import type { ScimEndpoint } from './support/providers.ts'
import { openProvider, sendSteps } from './support/providers.ts'
import type { MovingProvider, RecordedPolis } from './support/recording.ts'
import { openRecordedPolis } from './support/recording.ts'

for (const name of ['plain', 'encrypted'] as const) {
  test(`five providers of a Polis (${name}) continue here, and leave what they would have left in directories of ours`, async () => {
    await using polis = await openRecordedPolis(name)
    await using database = await openTestDatabase('postgres')
    const run = (mode: ImportMode) => importFrom(polis, database, mode)
    const { moving } = polis.recording
    const { directories, totals } = await run('apply')
    assert.ok(totals.users.created >= moving.length && totals.members.created > 0)
    assert.deepEqual(new Set(directories.map(({ outcome }) => outcome)), new Set(['created']))
    assert.deepEqual((await run('verify')).differences, [])
    await using service = await startTestService(database)
    const partsOf = Map.groupBy(moving, ({ provider }) => provider)
    await Promise.all([...partsOf].map(([provider, parts]) => continueHere(service, provider, parts)))
  })
}

function endpointAt(base: string, { path, secret }: { readonly path: string; readonly secret: string }): ScimEndpoint {
  return { address: base + path, secret }
}

async function importFrom(
  { recording: { encryptionKey: key }, databaseUrl: from }: RecordedPolis,
  { env: { DATABASE_URL = '', ENCRYPTION_KEY } }: TestDatabase,
  mode: ImportMode,
) {
  const source = await openPolisSource({ from, key })
  try {
    const into = { databaseUrl: DATABASE_URL, encryptionKey: ENCRYPTION_KEY, poolSize: 3 }
    return await importIntoDatabase({ mode, source, from, ...into })
  } finally {
    await source.close()
  }
}

/**
 * Sends the rest of a provider's conversations to the same paths with the same secrets, and a whole one to a directory of
 * ours. There are no differences to argue about.
 */
async function continueHere(service: TestService, provider: string, parts: readonly MovingProvider[]): Promise<void> {
  const { id, scim } = await service.createDirectory({ tenant: `own-${provider}`, product: 'own' })
  await sendSteps(openProvider(provider), endpointAt(service.origin, scim), {})
  const own = await heldBy(service, id)
  for (const { sent, directory, captured } of parts) {
    const moved = { ...openProvider(provider), captured: new Map(Object.entries(captured)) }
    const surprises = await sendSteps(moved, endpointAt(service.origin, directory), { from: sent })
    assert.deepEqual(surprises, [], `${provider} from its request ${sent} on`)
    assert.deepEqual(await heldBy(service, directory.id), own, `${provider} from ${sent}`)
  }
}

/** What the product reads of a directory: without ids, which differ, and times. */
async function heldBy(service: TestService, directoryId: string) {
  const scope = `directoryId=${directoryId}`
  const users = (await service.api('GET', `/users?${scope}`)).body.data
  const groups = (await service.api('GET', `/groups?${scope}`)).body.data
  const names = new Map(users.map(({ id, raw }) => [id, raw['userName']]))
  const heldGroups = groups.map(async ({ id, name, raw }) => {
    const members = (await service.api('GET', `/groups/${id}/members?${scope}`)).body.data
    return { name, raw: { ...raw, id: '' }, members: members.map(({ user_id }) => names.get(user_id)).sort() }
  })
  return {
    users: users
      .map(({ first_name, last_name, email, active, raw }) => {
        return { first_name, last_name, email, active, raw: { ...raw, id: '' } as Record<string, unknown> }
      })
      .toSorted((a, b) => (String(a.raw['userName']) < String(b.raw['userName']) ? -1 : 1)),
    groups: (await Promise.all(heldGroups)).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  }
}
