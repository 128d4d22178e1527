import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importPolis } from '../../../src/app/import-polis.ts'
import type { ImportMode } from '../../../src/polis/import/context.ts'
import { openPolisSource } from '../../../src/polis/source/open.ts'
import type { TestPolis } from '../../support/polis.ts'
import { polisKey, startTestPolis } from '../../support/polis.ts'
import type { TestDatabase, TestService } from '../../support/service.ts'
import { openTestDatabase, startTestService } from '../../support/service.ts'
import type { Provider, ScimEndpoint } from './support/providers.ts'
import { openProvider, sendSteps } from './support/providers.ts'

/** A provider that has sent the first of its requests to Polis. */
interface Moving {
  readonly provider: Provider
  readonly sent: number
  readonly directory: { readonly id: string; readonly path: string; readonly secret: string }
}

/** Five providers, each at several points of its conversation. */
const providers = ['okta-oin', 'entra', 'onelogin', 'jumpcloud', 'pingfederate']

for (const { what, encryptionKey, parts } of [
  { what: 'plain', encryptionKey: undefined, parts: [0.35, 0.6, 0.8] },
  { what: 'encrypted', encryptionKey: polisKey, parts: [0.8] },
]) {
  test(`five providers of a Polis (${what}) continue here, and leave what they would have left in directories of ours`, async () => {
    await using polis = await startTestPolis({ encryptionKey })
    const moving = await Promise.all(
      providers.flatMap((name) => parts.map((part) => startIn(polis, openProvider(name), part))),
    )
    await using database = await openTestDatabase('postgres')
    const run = (mode: ImportMode) => importFrom(polis, encryptionKey, database, mode)
    const { directories, totals } = await run('apply')
    assert.ok(totals.users.created >= providers.length && totals.members.created > 0)
    assert.deepEqual(new Set(directories.map(({ outcome }) => outcome)), new Set(['created']))
    assert.deepEqual((await run('verify')).differences, [])
    await using service = await startTestService(database)
    await Promise.all(moving.map((one) => continueHere(service, one)))
  })
}

/** Sends the first part of a conversation to a new directory of Polis. */
async function startIn(polis: TestPolis, provider: Provider, part: number): Promise<Moving> {
  const fields = { tenant: `${provider.name}-${part}`, product: 'moved', type: 'generic-scim-v2' }
  const { id, scim } = await polis.createDirectory(fields)
  const sent = Math.round(provider.steps.length * part)
  await sendSteps(provider, endpointAt(polis.url, scim), { to: sent })
  return { provider, sent, directory: { id, ...scim } }
}

function endpointAt(base: string, { path, secret }: { readonly path: string; readonly secret: string }): ScimEndpoint {
  return { address: base + path, secret }
}

async function importFrom(
  polis: TestPolis,
  key: string | undefined,
  { env: { DATABASE_URL = '', ENCRYPTION_KEY } }: TestDatabase,
  mode: ImportMode,
) {
  const source = await openPolisSource({ from: polis.databaseUrl, key })
  try {
    const into = { databaseUrl: DATABASE_URL, encryptionKey: ENCRYPTION_KEY, poolSize: 3 }
    return await importPolis({ mode, source, from: polis.databaseUrl, ...into })
  } finally {
    await source.close()
  }
}

/**
 * Sends the rest of the conversation to the same path with the same secret, and the whole one to a directory of ours. There
 * are no differences to argue about.
 */
async function continueHere(service: TestService, { provider, sent, directory }: Moving): Promise<void> {
  const surprises = await sendSteps(provider, endpointAt(service.origin, directory), { from: sent })
  assert.deepEqual(surprises, [], `${provider.name} from its request ${sent} on`)
  const { id, scim } = await service.createDirectory({ tenant: `own-${provider.name}-${sent}`, product: 'own' })
  await sendSteps(openProvider(provider.name), endpointAt(service.origin, scim), {})
  assert.deepEqual(await heldBy(service, directory.id), await heldBy(service, id), `${provider.name} from ${sent}`)
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
