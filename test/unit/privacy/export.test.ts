import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemCaller } from '../../../src/directory/audit.ts'
import type { ExportParts } from '../../../src/privacy/export.ts'
import { exportPerson } from '../../../src/privacy/export.ts'

test('nothing more is read for an export whose client has gone', async () => {
  const client = new AbortController()
  const ended = new Error('The client has closed the connection.')
  let reads = 0
  const store = {
    listUsers: async () => [],
    getUser: async () => undefined,
    getUsers: async () => new Map(),
    async personalRows() {
      reads += 1
      if (reads === 5) client.abort(ended)
      return Array.from({ length: 200 }, (_, key) => ({ key, values: {}, requests: [] }))
    },
  }
  const directory = { id: 'd-1', tenant: 'acme', product: 'crm' }
  async function* all() {
    yield directory
  }
  const parts = {
    store,
    directories: { get: async () => directory, all, leaving: async () => [] },
    flush: async () => {},
    clock: () => 0,
  }
  const person = { tenant: 'acme', product: 'crm', subject: 'ann@example.com' }
  const exported = exportPerson(parts as unknown as ExportParts, person, systemCaller('test'), client.signal)
  await assert.rejects(exported, ended)
  assert.equal(reads, 5)
})
