import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttributeDefinition } from '../../../src/scim/discovery/definitions.ts'
import {
  resourceTypeDefinition,
  resourceTypeDefinitions,
  schemaDefinition,
  schemaDefinitions,
} from '../../../src/scim/discovery/definitions.ts'
import { serviceProviderConfig } from '../../../src/scim/discovery/service-provider-config.ts'
import { schemasOfProfile } from '../../../src/scim/schema/resource-type.ts'
import type { Attribute } from '../../../src/scim/schema/schema.ts'

const scimUrl = 'https://rollcall.test/api/scim/v2.0/d1'
const options = { scimUrl, profile: 'tolerant' } as const
const user = 'urn:ietf:params:scim:schemas:core:2.0:User'
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const extension = 'urn:ietf:params:scim:schemas:extension:rollcall:2.0:ServiceProviderConfig'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

test('the service provider configuration lists the supported features', () => {
  const { authenticationSchemes, ...config } = serviceProviderConfig({ ...options, maxPayloadSize: 4096 })
  assert.deepEqual(config, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: 1000, maxPayloadSize: 4096 },
    filter: { supported: true, maxResults: 1000 },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: 100,
      maxPageSize: 1000,
      cursorTimeout: 3600,
    },
    meta: { resourceType: 'ServiceProviderConfig', location: `${scimUrl}/ServiceProviderConfig` },
  })
  assert.deepEqual(
    authenticationSchemes.map(({ type, primary }) => ({ type, primary })),
    [
      { type: 'oauthbearertoken', primary: true },
      { type: 'oauth2', primary: false },
    ],
  )
})

test('users and groups are the resource types', () => {
  assert.deepEqual(resourceTypeDefinitions({ scimUrl }), [
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      description: 'User Account',
      schema: user,
      schemaExtensions: [{ schema: enterprise, required: false }],
      meta: { resourceType: 'ResourceType', location: `${scimUrl}/ResourceTypes/User` },
    },
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
      id: 'Group',
      name: 'Group',
      endpoint: '/Groups',
      description: 'Group',
      schema: group,
      meta: { resourceType: 'ResourceType', location: `${scimUrl}/ResourceTypes/Group` },
    },
  ])
})

for (const { name, found } of [
  { name: 'User', found: 'User' },
  { name: 'group', found: 'Group' },
  { name: 'Device', found: undefined },
]) {
  test(`the resource type ${name} is ${found ?? 'missing'}`, () => {
    assert.equal(resourceTypeDefinition(name, { scimUrl })?.id, found)
  })
}

test('every schema has its own location', () => {
  const listed = schemaDefinitions(options).map(({ id, meta }) => ({ id, meta }))
  const expected = [user, group, enterprise].map((id) => ({
    id,
    meta: { resourceType: 'Schema', location: `${scimUrl}/Schemas/${id}` },
  }))
  assert.deepEqual(listed, expected)
})

for (const { urn, found } of [
  { urn: user, found: user },
  { urn: enterprise.toUpperCase(), found: enterprise },
  { urn: 'urn:x:y', found: undefined },
]) {
  test(`the schema ${urn} is ${found ?? 'missing'}`, () => {
    assert.equal(schemaDefinition(urn, options)?.id, found)
  })
}

function defined(urn: string, name: string): AttributeDefinition | undefined {
  return schemaDefinition(urn, options)?.attributes.find((one) => one.name === name)
}

test('userName is defined as in RFC 7643 §8.7.1', () => {
  const { description, ...characteristics } = defined(user, 'userName') ?? {}
  assert.ok(description)
  assert.deepEqual(characteristics, {
    name: 'userName',
    type: 'string',
    multiValued: false,
    required: true,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'server',
  })
})

test('empty lists are omitted', () => {
  const parts = defined(user, 'emails')?.subAttributes
  assert.deepEqual(parts?.find(({ name }) => name === 'type')?.canonicalValues, ['work', 'home', 'other'])
  assert.equal(Object.hasOwn(parts?.find(({ name }) => name === 'value') ?? {}, 'canonicalValues'), false)
  assert.deepEqual(defined(user, 'profileUrl')?.referenceTypes, ['external'])
  assert.equal(Object.hasOwn(defined(user, 'title') ?? {}, 'subAttributes'), false)
})

test('the definitions match the schemas and omit the common attributes', () => {
  const names = (attributes: Iterable<Attribute | AttributeDefinition>) => [...attributes].map(({ name }) => name)
  for (const { id, attributes } of schemasOfProfile('tolerant')) {
    const definition = schemaDefinition(id, options)
    assert.deepEqual(names(definition?.attributes ?? []), names(attributes.values()))
    for (const common of ['id', 'schemas', 'meta', 'externalId']) assert.equal(defined(id, common), undefined)
  }
})

test('no document contains null', () => {
  const documents = [
    serviceProviderConfig({ ...options, maxPayloadSize: 4096 }),
    resourceTypeDefinitions({ scimUrl }),
    schemaDefinitions(options),
  ]
  assert.doesNotMatch(JSON.stringify(documents), /null/)
})

test('a strict directory offers every attribute but the password, and says that it is strict', () => {
  const strict = { scimUrl, profile: 'strict' } as const
  const namesIn = (profile: typeof options | typeof strict) =>
    schemaDefinitions(profile).map(({ attributes }) => attributes.map(({ name }) => name))
  const expected = namesIn(options).map((names) => names.filter((name) => name !== 'password'))
  assert.deepEqual(namesIn(strict), expected)
  const config = serviceProviderConfig({ ...strict, maxPayloadSize: 4096 })
  assert.deepEqual(config.schemas, ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig', extension])
  assert.deepEqual(Reflect.get(config, extension), { scimProfile: 'strict' })
})

test('the definitions show the characteristics of RFC 7643 only', () => {
  assert.doesNotMatch(JSON.stringify(schemaDefinitions({ scimUrl, profile: 'strict' })), /isStrict/)
})
