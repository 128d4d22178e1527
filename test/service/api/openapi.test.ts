import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import Fastify from 'fastify'
import { describeService, descriptionFile, productFile, typesFile, typesOf } from '../../../openapi/description.ts'
import { actionKinds, callFor } from '../../../src/diagnostics/explain/decision.ts'
import { eventTypes } from '../../../src/directory/event.ts'
import { errorCodes } from '../../../src/error-response.ts'
import { requireOperationIds } from '../../../src/http/openapi/operation.ts'
import type { ApiDocument } from '../../support/description-gaps.ts'
import { descriptionGaps } from '../../support/description-gaps.ts'

const generated = await readFile(descriptionFile, 'utf8')
const generatedProduct = await readFile(productFile, 'utf8')

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
  assert.equal(generatedProduct, product)
})

test('openapi-product.json has only the directory-sync API and the events, and all of its references resolve', async () => {
  const text = generatedProduct
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

for (const kind of actionKinds) {
  test(`the call for the advice ${kind} is one of the API`, () => {
    const call = callFor({ kind, sequence: 1, requestId: ':requestId' }, ':id')
    const [, method = '', path = ''] = /^([A-Z]+) (\/\S+)( \{.+\})?$/.exec(call) ?? []
    const route = path.replaceAll(/:(\w+)/g, '{$1}')
    assert.ok(JSON.parse(generatedProduct).paths[`/api/v1/directory-sync${route}`]?.[method.toLowerCase()], call)
  })
}

test('src/client/schema.ts is generated from openapi/openapi.json; npm run generate updates it', async () => {
  assert.equal(await readFile(typesFile, 'utf8'), await typesOf(generated))
})

/**
 * The schema of the error responses of an operation. SCIM and OAuth have their own (RFC 7644 §3.12, RFC 6749 §5.2), the pages of the
 * consent are no JSON, and a probe reads the same from both of its statuses.
 */
function errorSchemaOf(path: string): string | undefined {
  if (path.startsWith('/api/scim/v2.0/')) return 'ScimError'
  if (path === '/api/scim/oauth/token') return 'TokenError'
  if (path === '/readyz') return 'Readiness'
  return path.startsWith('/api/scim/oauth/') || !path.startsWith('/') ? undefined : 'Error'
}

test('every object has a name, every property a description and an example, and every error is of one schema', () => {
  for (const text of [generated, generatedProduct]) {
    const gaps = descriptionGaps(JSON.parse(text), errorSchemaOf)
    assert.deepEqual(gaps, [], 'give the object a title, or the property a description: src/http/openapi/properties.ts')
  }
})

test('the reason of an error is an enumeration of its own', () => {
  const { ErrorDetails, ErrorReason } = JSON.parse(generated).components.schemas
  assert.equal(ErrorDetails.properties.reason.$ref, '#/components/schemas/ErrorReason')
  assert.deepEqual(ErrorReason.enum, errorCodes)
})

for (const [what, schema, gap] of [
  ['an object inside another', { properties: { part: { type: 'object' } } }, 'Thing has an object without a name'],
  [
    'the object of a list',
    { properties: { list: { items: { properties: {} } } } },
    'Thing has an object without a name',
  ],
  ['a property without a description', { properties: { a: { examples: [1] } } }, 'Thing.a has no description'],
  ['a property without an example', { properties: { a: { description: 'A' } } }, 'Thing.a has no example'],
] as const) {
  test(`${what} is a gap`, () => {
    const document: ApiDocument = { paths: {}, components: { schemas: { Thing: schema } } }
    assert(descriptionGaps(document, errorSchemaOf).includes(gap))
  })
}

for (const [what, status, schema, gap] of [
  ['an object in a response', '200', { type: 'object' }, 'listThings has an object without a name'],
  ['an error of another schema', '404', { $ref: '#/components/schemas/Problem' }, 'listThings 404 is not Error'],
] as const) {
  test(`${what} is a gap`, () => {
    const responses = { [status]: { content: { 'application/json': { schema } } } }
    const paths = { '/things': { get: { operationId: 'listThings', responses } } }
    assert.deepEqual(descriptionGaps({ paths, components: { schemas: {} } }, errorSchemaOf), [gap])
  })
}

const verbs =
  /^(add|apply|approve|authorize|check|complete|confirm|create|delete|disable|discard|erase|explain|export|get|list|log|open|patch|pause|perform|preview|process|read|receive|release|replace|replay|resume|rotate|search|send|sign|skip|start|update|verify)[A-Z]/

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
