import assert from 'node:assert/strict'
import type { Requirement } from '../requirement.ts'
import type { AttributeDefinition } from './definitions.ts'
import { readEveryAttribute, readSchemas } from './definitions.ts'
import { enterpriseUrn, groupUrn, userUrn } from './resources.ts'

const closedSets: Readonly<Record<string, readonly unknown[]>> = {
  type: ['string', 'boolean', 'decimal', 'integer', 'dateTime', 'binary', 'reference', 'complex'],
  multiValued: [true, false],
  required: [true, false],
  caseExact: [true, false],
  mutability: ['readOnly', 'readWrite', 'immutable', 'writeOnly'],
  returned: ['always', 'never', 'default', 'request'],
  uniqueness: ['none', 'server', 'global'],
}

/** RFC 7643 §7: the definitions of schemas. */
export const schemaDefinitionRequirements: readonly Requirement[] = [
  {
    section: '7',
    level: 'MUST',
    text: 'The id of every schema is its URN.',
    coveredBy: {
      test: '/Schemas has the schemas of User, Group and the extension under their URNs',
      run: async (provider) => {
        const ids = (await readSchemas(provider)).map(({ id }) => id)
        assert.deepEqual(new Set(ids), new Set([userUrn, groupUrn, enterpriseUrn]))
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: 'Every schema has a human-readable name.',
    coveredBy: {
      test: 'each schema has a name that is not empty',
      run: async (provider) => {
        const names = (await readSchemas(provider)).map(({ name }) => name)
        assert(names.every((name) => typeof name === 'string' && name !== ''))
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: 'Every schema lists its attributes, each with a name.',
    coveredBy: {
      test: 'each schema has attributes, and no two with the same name, ignoring case',
      run: async (provider) => {
        for (const { attributes } of await readSchemas(provider)) {
          const names = attributes.map(({ name }) => name.toLowerCase())
          assert(names.length > 0)
          assert.deepEqual(names, [...new Set(names)])
        }
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: 'The characteristics of an attribute are among those that the RFC defines.',
    coveredBy: {
      test: 'type, multiValued, required, caseExact, mutability, returned and uniqueness have defined values everywhere',
      run: async (provider) => {
        const wrong = (await readEveryAttribute(provider)).flatMap((attribute) =>
          Object.entries(closedSets)
            .filter(([characteristic, values]) => !values.includes(attribute[characteristic]))
            .map(([characteristic]) => `${attribute.name}: ${characteristic} ${attribute[characteristic]}`),
        )
        assert.deepEqual(wrong, [])
      },
    },
  },
  {
    section: '7',
    level: 'SHOULD',
    text: 'A complex attribute lists its sub-attributes.',
    coveredBy: {
      test: 'complex attributes, and no others, have subAttributes',
      run: async (provider) => {
        const isWrong = ({ type, subAttributes = [] }: AttributeDefinition) =>
          (type === 'complex') !== subAttributes.length > 0
        assert.deepEqual((await readEveryAttribute(provider)).filter(isWrong), [])
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: 'Reference attributes, and no others, have referenceTypes.',
    coveredBy: {
      test: 'each reference has referenceTypes: resource types, external or uri; no other attribute has them',
      run: async (provider) => {
        const isWrong = ({ type, referenceTypes }: AttributeDefinition) => {
          const named = (referenceTypes ?? []) as readonly string[]
          const isDefined = (name: string) => ['User', 'Group', 'external', 'uri'].includes(name)
          return (type === 'reference') !== named.length > 0 || !named.every(isDefined)
        }
        assert.deepEqual((await readEveryAttribute(provider)).filter(isWrong), [])
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: 'A write-only attribute is never returned.',
    coveredBy: {
      test: 'each attribute with the mutability writeOnly is defined as returned never',
      run: async (provider) => {
        const secret = (await readEveryAttribute(provider)).filter((one) => one['mutability'] === 'writeOnly')
        assert.deepEqual(
          secret.map(({ name, returned }) => [name, returned]),
          provider.profile === 'strict' ? [] : [['password', 'never']],
        )
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: 'Schemas are read-only.',
    coveredBy: {
      test: 'a POST to /Schemas, and a PUT and a DELETE of one, return 405',
      run: async (provider) => {
        const [schema] = await readSchemas(provider)
        const responses = [
          await provider.send('POST', '/Schemas', schema),
          await provider.send('PUT', `/Schemas/${userUrn}`, schema),
          await provider.send('DELETE', `/Schemas/${userUrn}`),
        ]
        assert.deepEqual(
          responses.map(({ status }) => status),
          [405, 405, 405],
        )
      },
    },
  },
]
