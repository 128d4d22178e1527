import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRollcall } from '../../../src/index.ts'

test('the library explains why a user did not arrive', async () => {
  const rollcall = await createRollcall({ databaseUrl: 'sqlite::memory:', externalUrl: 'http://localhost:3000' })
  const { data: directory } = await rollcall.directories.create({ tenant: 'acme', product: 'crm' })
  const verdict = async () =>
    (await rollcall.explain({ tenant: 'acme', product: 'crm', subject: 'maya' })).data?.verdict
  const call = {
    directoryId: directory?.id ?? '',
    resourceType: 'users',
    method: 'POST',
    body: { userName: 'maya' },
  } as const
  assert.equal(await verdict(), 'never-sent')
  assert.equal((await rollcall.requests.handle({ ...call, apiSecret: 'wrong' })).status, 401)
  assert.equal(await verdict(), 'unauthorized')
  assert.equal((await rollcall.requests.handle({ ...call, apiSecret: directory?.scim.secret ?? '' })).status, 201)
  assert.equal(await verdict(), 'waiting')
  assert.equal((await rollcall.explain({ subject: 'maya' })).data?.directory?.id, directory?.id)
  await rollcall.close()
})
