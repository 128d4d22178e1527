import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { mock, test } from 'node:test'
import { createRootTokenGuard } from '../../../src/admin/accounts/root-token.ts'
import type { AdminStore } from '../../../src/admin/admin-store.ts'
import { createKeyFinder, loadConfiguredKeys } from '../../../src/admin/keys/find-key.ts'
import { digestKey } from '../../../src/admin/keys/key-text.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import { newSecret } from '../../../src/directory/secret.ts'
import { createDirectoryAccess } from '../../../src/service-provider/access.ts'

const right = newSecret()

/** A secret with one character replaced. */
const wrongAt = (secret: string, place: number) =>
  secret.slice(0, place) + (secret[place] === 'x' ? 'y' : 'x') + secret.slice(place + 1)

/** The secret with each character wrong, with each prefix right, and shorter and longer ones. */
function wrongs(secret: string): string[] {
  const places = [...secret].map((_, place) => place)
  return [
    ...places.map((place) => wrongAt(secret, place)),
    ...places.map((place) => secret.slice(0, place) + '_'.repeat(secret.length - place)),
    ...places.map((place) => secret.slice(0, place)),
    ...[`${secret}x`, secret.repeat(2), secret.repeat(100), secret.toLowerCase(), secret.toUpperCase()],
  ].filter((one) => one !== secret)
}

/** The lengths of all buffers that are compared during a call. */
async function compared(work: () => unknown): Promise<string> {
  const spy = mock.method(crypto, 'timingSafeEqual')
  syncBuiltinESMExports()
  try {
    await work()
    return spy.mock.calls.map(({ arguments: [a, b] }) => `${a.byteLength}:${b.byteLength}`).join()
  } finally {
    spy.mock.restore()
    syncBuiltinESMExports()
  }
}

const directory: Directory = {
  ...{ id: 'a', name: 'a', tenant: 'acme', product: 'crm', directoryType: 'generic-scim-v2', scimSecret: right },
  previousScimSecret: { secret: newSecret(), expiresAt: Number.MAX_SAFE_INTEGER },
  ...{
    endpoint: undefined,
    google: undefined,
    logWebhookEvents: false,
    logScimRequests: false,
    uniqueGroupNames: false,
    deactivated: false,
    createdAt: 0,
    revision: 1,
  },
}
const access = createDirectoryAccess({ getDirectory: async () => directory } as never, () => 0)
const silentFailures = { record: async () => {}, count: () => {}, close: async () => {} }
const door = createRootTokenGuard({
  rootToken: right,
  limit: { countFailure: () => undefined },
  failedLogins: silentFailures,
})
const secretStore: AdminStore = { getOrCreateSecret: async (_, secret) => secret }
const configured = await loadConfiguredKeys([newSecret(), right, newSecret()], secretStore, newSecret())

for (const { what, comparisons, isRight } of [
  {
    what: 'the SCIM secret',
    comparisons: 2,
    isRight: (secret: string) =>
      access.authorize('a', secret).then(
        () => true,
        () => false,
      ),
  },
  { what: 'the root token', comparisons: 1, isRight: async (token: string) => door.isRootToken(token) },
  {
    what: 'a key of the configuration',
    comparisons: 3,
    isRight: async (key: string) => configured.find(key) !== undefined,
  },
]) {
  test(`${what} is compared by digests of equal length, the same way wherever it differs`, async () => {
    const expected = Array(comparisons).fill('32:32').join()
    assert.equal(await compared(async () => assert.equal(await isRight(right), true)), expected)
    for (const wrong of wrongs(right)) {
      assert.equal(await compared(async () => assert.equal(await isRight(wrong), false)), expected)
    }
  })
}

test('a managed key is looked up by its hash, which does not reveal how much of it is right', async () => {
  const key = `rck_${right}`
  const asked: string[] = []
  const { findKey } = createKeyFinder({
    configured: { find: () => undefined, named: [] },
    store: {
      findApiKey: async (digest) => {
        asked.push(digest)
        return undefined
      },
      getApiKey: async () => undefined,
    },
    lastUse: { note: () => {}, close: async () => {} },
    clock: () => 0,
  })
  const guesses = wrongs(right).map((wrong) => `rck_${wrong}`)
  for (const guess of guesses) await findKey(guess)
  const ofRightForm = guesses.filter((guess) => guess.length === key.length)
  assert.deepEqual(asked, ofRightForm.map(digestKey))
  assert(
    asked.length >= 43 &&
      asked.every((digest) => digest.length === 64 && digest.slice(0, 8) !== digestKey(key).slice(0, 8)),
  )
})
