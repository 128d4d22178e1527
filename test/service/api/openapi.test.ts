import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import Fastify from 'fastify'
import { describeService, descriptionFile, productFile, typesFile, typesOf } from '../../../openapi/description.ts'
import { eventTypes } from '../../../src/directory/event.ts'
import { requireOperationIds } from '../../../src/http/openapi/operation.ts'

const generated = await readFile(descriptionFile, 'utf8')

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
}

function operationsOf(paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item))
}

test('openapi/openapi.json and openapi-product.json are what the service returns; npm run generate updates them', async () => {
  const { whole, product } = await describeService()
  assert.equal(generated, whole)
  assert.equal(await readFile(productFile, 'utf8'), product)
})

test('openapi-product.json has only the directory-sync API and the events, and all of its references resolve', async () => {
  const text = await readFile(productFile, 'utf8')
  const { paths, webhooks, components, tags } = JSON.parse(text)
  const all = JSON.parse(generated)
  const ofApi = Object.keys(all.paths).filter((path) => path.startsWith('/api/v1/directory-sync'))
  assert.deepEqual(Object.keys(paths), ofApi)
  assert.deepEqual(Object.keys(webhooks), [...eventTypes])
  assert.deepEqual(
    tags.map(({ name }: { readonly name: string }) => name),
    ['Directory sync', 'Events'],
  )
  for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
    assert.deepEqual(components[kind][name], all.components[kind][name], `${kind} ${name}`)
    assert.doesNotMatch(name, /^(Scim|Admin)|Notice/)
  }
  for (const kind of ['schemas', 'responses', 'parameters'])
    for (const name of Object.keys(components[kind])) assert(text.includes(`"#/components/${kind}/${name}"`), name)
})

test('src/client/schema.ts is generated from openapi/openapi.json; npm run generate updates it', async () => {
  assert.equal(await readFile(typesFile, 'utf8'), await typesOf(generated))
})

const verbs =
  /^(add|approve|authorize|check|complete|confirm|create|delete|disable|discard|erase|explain|export|get|list|log|open|patch|pause|perform|preview|process|read|receive|release|replace|replay|resume|rotate|search|send|sign|skip|start|update|verify)[A-Z]/

test('the operationId of every operation is unique and starts with a verb', () => {
  const { paths, webhooks } = JSON.parse(generated)
  const ids = [...operationsOf(paths), ...operationsOf(webhooks)].map(({ operationId }) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(
    ids.filter((id) => !verbs.test(id)),
    [],
  )
})

test('a route without an operationId, or with a duplicate one, makes the start fail', () => {
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
