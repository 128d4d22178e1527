import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Collection } from 'mongodb'
import { createDatabaseSource } from '../../../src/polis/import/source/database-source.ts'
import { createOpenValue } from '../../../src/polis/import/source/encryption.ts'
import { indexKey, recordKey } from '../../../src/polis/import/source/keys.ts'
import type { PolisDocument } from '../../../src/polis/import/source/mongo.ts'
import { createMongoRecordStore } from '../../../src/polis/import/source/mongo.ts'

/** Evaluates the operators of MongoDB's query language that are used, as its manual describes them. */
function matches(document: PolisDocument, filter: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    const parts = condition as Readonly<Record<string, unknown>>[]
    if (name === '$and') return parts.every((part) => matches(document, part))
    if (name === '$or') return parts.some((part) => matches(document, part))
    const value = (document as unknown as Readonly<Record<string, unknown>>)[name]
    if (typeof condition !== 'object' || condition === null) {
      return Array.isArray(value) ? value.includes(condition) : value === condition
    }
    return Object.entries(condition).every(([operator, operand]) => holds(value, operator, operand))
  })
}

function holds(value: unknown, operator: string, operand: unknown): boolean {
  switch (operator) {
    case '$gt':
      return typeof value === 'string' && value > String(operand)
    case '$lt':
      return typeof value === 'string' && value < String(operand)
    case '$in':
      return Array.isArray(operand) && operand.includes(value)
    case '$regex':
      return typeof value === 'string' && new RegExp(String(operand)).test(value)
    case '$exists':
      return (value !== undefined) === operand
    case '$type':
      return typeof value === operand
    default:
      throw new Error(`${operator} is not known`)
  }
}

function collectionOf(documents: readonly PolisDocument[]) {
  const find = (
    filter: Readonly<Record<string, unknown>>,
    { sort = {}, limit }: { sort?: object; limit?: number } = {},
  ) => ({
    async toArray() {
      const order = (a: PolisDocument, b: PolisDocument) =>
        Object.keys(sort)
          .map((name) => compare(a[name as '_id'], b[name as '_id']))
          .find((result) => result !== 0) ?? 0
      return documents
        .filter((document) => matches(document, filter))
        .toSorted(order)
        .slice(0, limit)
    },
  })
  return { find } as unknown as Collection<PolisDocument>
}

/** A missing value comes first, as null does. */
const compare = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0)

const record = (namespace: string, id: string, content: object, more: Partial<PolisDocument> = {}): PolisDocument => ({
  _id: recordKey(namespace, id),
  value: { value: JSON.stringify({ id, ...content }) },
  ...more,
})

const users = 'dsync:users:a.c:crm'
const userOf = (number: number, more: Partial<PolisDocument>) => {
  const [id, email] = [`u${number}`, `u${number}@example.com`]
  const indexes = [indexKey(users, 'directoryIdUsername', `d1:${email}`), indexKey(users, 'directoryId', 'd1')]
  return record(users, id, { email, active: true, raw: { userName: email } }, { indexes, ...more })
}

const minute = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString()

const documents = [
  record('dsync:config', 'd1', { tenant: 'a.c', product: 'crm', scim: {}, webhook: {} }, { createdAt: minute(0) }),
  // Old documents have no time; later ones may have the same.
  ...[1, 2, 3].map((number) => userOf(number, {})),
  ...Array.from({ length: 120 }, (_, index) => userOf(index + 4, { createdAt: minute(Math.floor(index / 60)) })),
  record(users, 'lost', { email: 'lost@example.com', raw: {} }, { createdAt: minute(9) }),
  record('dsync:users:abc:crm', 'other', { email: 'other@example.com', raw: {} }, { createdAt: minute(9) }),
]

const source = createDatabaseSource(
  createMongoRecordStore(collectionOf(documents), async () => {}),
  createOpenValue(undefined),
)
after(() => source.close())

test('reads the directories and all users of one, oldest first, over pages that end among equal times', async () => {
  const [directory] = await Array.fromAsync(source.directories({ tenant: 'a.c' }))
  assert.equal(directory?.id, 'd1')
  const read = await Array.fromAsync(source.users(directory))
  assert.equal(new Set(read.map(({ id }) => id)).size, 123)
  const times = read.map(({ createdAt }) => createdAt ?? 0)
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
  assert.deepEqual(times.slice(0, 4), [0, 0, 0, Date.parse(minute(0))])
})

test('finds users without a directory, of the tenant that is meant only', async () => {
  const problems = await Array.fromAsync(source.problems({ tenant: 'a.c', product: 'crm' }))
  assert.deepEqual(
    problems.map(({ kind, id }) => ({ kind, id })),
    [{ kind: 'without-directory', id: 'lost' }],
  )
})
