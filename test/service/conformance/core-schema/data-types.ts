import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { readAttributes } from './definitions.ts'
import { createUser, enterpriseUrn, fieldsOf, reread } from './resources.ts'

const types = ['string', 'boolean', 'decimal', 'integer', 'dateTime', 'binary', 'reference', 'complex']
const dateTime = /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/

/** RFC 7643 §2.3 to §2.3.6: the types of values. */
export const dataTypeRequirements: readonly Requirement[] = [
  {
    section: '2.3',
    level: 'SHOULD',
    text: 'An extension uses only the data types of the RFC.',
    coveredBy: {
      test: 'every attribute of the enterprise extension has one of the eight types',
      run: async (provider) => {
        const used = (await readAttributes(provider, enterpriseUrn)).map(({ type }) => type)
        assert(used.length > 0)
        assert.deepEqual(
          used.filter((type) => !types.includes(type)),
          [],
        )
      },
    },
  },
  {
    section: '2.3.1',
    level: 'MUST',
    text: 'Text is any sequence of Unicode characters, in UTF-8.',
    coveredBy: {
      test: 'text with accents, ideographs, emoji, quotes and a line break is returned as it was sent',
      run: async (provider) => {
        const displayName = 'Zoë "北京" O\'Hara \\ 👩🏽‍🚀\nline two'
        const created = await createUser(provider, { displayName })
        assert.equal((await reread(provider, created)).body.displayName, displayName)
      },
    },
  },
  {
    section: '2.3.2',
    level: 'MUST',
    text: 'A boolean is the literal true or false.',
    coveredBy: {
      test: 'a boolean that came as the text "False" is returned as false',
      run: async (provider) => {
        const created = await createUser(provider, { active: 'False' })
        assert.equal((await reread(provider, created)).body.active, false)
      },
      strict: {
        test: 'a boolean that came as the text "False" is rejected with invalidValue',
        run: async (provider) => {
          const response = await provider.send('POST', '/Users', { userName: 'bjensen', active: 'False' })
          assertScimError(response, 400, 'invalidValue')
        },
      },
    },
    deviation: {
      text: 'A boolean as text, a number in place of text, a list of one and a single value in place of a list are read as what they mean: Entra ID and libraries of Microsoft send them.',
      endedBy: 'scim_profile: "strict"',
    },
  },
  {
    section: '2.3.2',
    level: 'MUST',
    text: 'A boolean has no third value.',
    coveredBy: {
      test: 'a user whose active is the text "perhaps" is rejected with invalidValue',
      run: async (provider) => {
        const response = await provider.send('POST', '/Users', { userName: 'bjensen', active: 'perhaps' })
        assertScimError(response, 400, 'invalidValue')
      },
    },
  },
  {
    section: '2.3.4',
    level: 'MUST',
    text: 'An integer is written without a fraction or an exponent.',
    coveredBy: {
      test: 'the integers of ServiceProviderConfig are written as digits and nothing else',
      run: async (provider) => {
        const { text } = await provider.send('GET', '/ServiceProviderConfig')
        const written = [...text.matchAll(/"max\w+":\s*([^,}\s]+)/g)].map(([, number]) => number ?? '')
        assert(written.length >= 3, text)
        assert.deepEqual(
          written.filter((number) => !/^\d+$/.test(number)),
          [],
        )
      },
    },
  },
  {
    section: '2.3.5',
    level: 'MUST',
    text: 'A dateTime is that of XML Schema, with both the date and the time.',
    coveredBy: {
      test: 'meta.created and meta.lastModified have a date, a T and a time',
      run: async (provider) => {
        const meta = fieldsOf(await createUser(provider))['meta'] as Record<string, unknown>
        assert.match(String(meta['created']), dateTime)
        assert.match(String(meta['lastModified']), dateTime)
      },
    },
  },
  {
    section: '2.3.5',
    level: 'MUST',
    text: 'A dateTime is valid in XML Schema and denotes an instant.',
    coveredBy: {
      test: 'a filter that compares meta.created with the text "yesterday" is rejected with invalidFilter',
      run: async (provider) => {
        const filter = encodeURIComponent('meta.created gt "yesterday"')
        assertScimError(await provider.send('GET', `/Users?filter=${filter}`), 400, 'invalidFilter')
      },
    },
  },
  {
    section: '2.3.6',
    level: 'MUST',
    text: 'A binary value is base64, which is case-sensitive.',
    coveredBy: {
      test: 'a certificate is returned byte for byte',
      run: async (provider) => {
        const value = Buffer.from([0x30, 0x03, 0x02, 0x01, 0xff, 0xfb, 0xef]).toString('base64')
        const created = await createUser(provider, { x509Certificates: [{ value }] })
        assert.deepEqual(fieldsOf(await reread(provider, created))['x509Certificates'], [{ value }])
      },
    },
  },
]
