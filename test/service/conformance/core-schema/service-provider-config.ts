import assert from 'node:assert/strict'
import type { Provider, Requirement } from '../requirement.ts'
import type { Fields } from './resources.ts'
import { fieldsOf } from './resources.ts'

const schemeTypes = ['oauth', 'oauth2', 'oauthbearertoken', 'httpbasic', 'httpdigest']

/** RFC 7643 §5: the configuration of the service provider. */
export const serviceProviderConfigRequirements: readonly Requirement[] = [
  {
    section: '5',
    level: 'MUST',
    text: 'The configuration is identified by the URN of its schema.',
    coveredBy: {
      test: 'ServiceProviderConfig names its schema',
      run: async (provider) => {
        const { schemas, ...config } = await readConfig(provider)
        const [own, ...extensions] = schemas as readonly string[]
        assert.equal(own, 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig')
        // The attributes of an extension are under its URN (§3.3).
        assert.deepEqual(
          extensions,
          Object.keys(config).filter((name) => name.startsWith('urn:')),
        )
      },
    },
  },
  ...['patch', 'changePassword', 'sort', 'etag'].map(
    (feature): Requirement => ({
      section: '5',
      level: 'MUST',
      text: `The configuration says whether \`${feature}\` is supported.`,
      coveredBy: {
        test: `${feature}.supported is a boolean`,
        run: async (provider) => assertParts(await readConfig(provider), feature, { supported: 'boolean' }),
      },
    }),
  ),
  {
    section: '5',
    level: 'MUST',
    text: 'The configuration says whether `bulk` is supported, and how many operations and bytes a request may have.',
    coveredBy: {
      test: 'bulk has supported, maxOperations and maxPayloadSize',
      run: async (provider) => {
        const types = { supported: 'boolean', maxOperations: 'integer', maxPayloadSize: 'integer' }
        assertParts(await readConfig(provider), 'bulk', types)
      },
    },
  },
  {
    section: '5',
    level: 'MUST',
    text: 'The configuration says whether `filter` is supported, and how many resources a response may have.',
    coveredBy: {
      test: 'filter has supported and maxResults',
      run: async (provider) => {
        assertParts(await readConfig(provider), 'filter', { supported: 'boolean', maxResults: 'integer' })
      },
    },
  },
  {
    section: '5',
    level: 'MUST',
    text: 'The configuration lists the ways to authenticate, each with type, name and description.',
    coveredBy: {
      test: 'each of the authenticationSchemes has one of the five types, a name and a description',
      run: async (provider) => {
        const schemes = (await readConfig(provider))['authenticationSchemes'] as readonly Fields[]
        assert(schemes.length > 0)
        for (const { type, name, description } of schemes) {
          assert(schemeTypes.includes(String(type)), String(type))
          assert(typeof name === 'string' && name !== '')
          assert(typeof description === 'string' && description !== '')
        }
      },
    },
  },
  {
    section: '5',
    level: 'SHOULD',
    text: 'The authentication schemes can be read without authentication, as far as security allows.',
    coveredBy: { because: 'A deviation: see the table above.' },
    deviation: {
      text: 'Every URL of a directory requires its secret ([scim.md](scim.md)); the 401 names the scheme in WWW-Authenticate.',
      endedBy: { none: 'an answer without credentials would tell strangers which directories exist.' },
    },
  },
  {
    section: '5',
    level: 'MUST',
    text: 'The configuration is read-only.',
    coveredBy: {
      test: 'a PUT, a PATCH and a DELETE of ServiceProviderConfig return 405 and change nothing',
      run: async (provider) => {
        const before = await readConfig(provider)
        for (const [method, body] of [['PUT', before], ['PATCH', { patch: { supported: false } }], ['DELETE']]) {
          assert.equal((await provider.send(String(method), '/ServiceProviderConfig', body)).status, 405)
        }
        assert.deepEqual(await readConfig(provider), before)
      },
    },
  },
]

async function readConfig(provider: Provider): Promise<Fields> {
  const response = await provider.send('GET', '/ServiceProviderConfig')
  assert.equal(response.status, 200, response.text)
  return fieldsOf(response)
}

function assertParts(config: Fields, feature: string, types: Readonly<Record<string, string>>): void {
  const parts = config[feature] as Fields
  for (const [name, type] of Object.entries(types)) {
    const fits = type === 'integer' ? Number.isInteger(parts[name]) : typeof parts[name] === type
    assert(fits, `${feature}.${name} is ${parts[name]}, not of type ${type}`)
  }
}
