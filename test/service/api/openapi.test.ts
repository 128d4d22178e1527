import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import Fastify from 'fastify'
import { describeService, descriptionFile, typesFile, typesOf } from '../../../openapi/description.ts'
import { requireOperationIds } from '../../../src/http/openapi/operation.ts'

const committed = await readFile(descriptionFile, 'utf8')

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
}

function operationsOf(paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item))
}

test('openapi/openapi.json is what the service returns; npm run generate updates it', async () => {
  assert.equal(committed, await describeService())
})

test('src/client/schema.ts is generated from openapi/openapi.json; npm run generate updates it', async () => {
  assert.equal(await readFile(typesFile, 'utf8'), await typesOf(committed))
})

const verbs =
  /^(add|approve|authorize|check|complete|confirm|create|delete|disable|discard|explain|export|get|list|log|open|patch|pause|perform|process|read|receive|release|replace|replay|resume|rotate|search|send|sign|start|update|verify)[A-Z]/

test('the operationId of every operation is unique and starts with a verb', () => {
  const { paths, webhooks } = JSON.parse(committed)
  const ids = [...operationsOf(paths), ...operationsOf(webhooks)].map(({ operationId }) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(
    ids.filter((id) => !verbs.test(id)),
    [],
  )
})

test('a route without an operationId, or with that of another, makes the start fail', () => {
  const app = Fastify()
  requireOperationIds(app)
  const handler = async () => null
  assert.throws(() => app.get('/a', handler), /GET \/a has no operationId/)
  app.get('/b', { schema: { operationId: 'listThings' } }, handler)
  assert.throws(
    () => app.get('/c', { schema: { operationId: 'listThings' } }, handler),
    /GET \/c and GET \/b have the same operationId, listThings/,
  )
})
