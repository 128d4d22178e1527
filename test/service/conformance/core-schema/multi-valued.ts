import assert from 'node:assert/strict'
import type { Answer } from '../../../support/client.ts'
import type { Requirement } from '../requirement.ts'
import { readEveryAttribute } from './definitions.ts'
import type { Fields } from './resources.ts'
import { createUser, fieldsOf, findUsers, patchOf, pathOf } from './resources.ts'

/** RFC 7643 §2.4: attributes with a list of values. */
export const multiValuedRequirements: readonly Requirement[] = [
  {
    section: '2.4',
    level: 'MUST',
    text: 'A multi-valued attribute whose values have sub-attributes is complex.',
    coveredBy: {
      test: 'every attribute that is defined with sub-attributes is of type complex',
      run: async (provider) => {
        const withParts = (await readEveryAttribute(provider)).filter((one) => one.subAttributes !== undefined)
        assert(withParts.some(({ multiValued }) => multiValued))
        assert.deepEqual(
          withParts.filter(({ type }) => type !== 'complex'),
          [],
        )
      },
    },
  },
  {
    section: '2.4',
    level: 'MUST',
    text: 'The sub-attributes `type`, `primary`, `display` and `$ref` mean the same in every attribute that has them.',
    coveredBy: {
      test: 'type and display are texts, primary is a boolean and `$ref` a reference, wherever they are defined',
      run: async (provider) => {
        const meanings: Fields = { type: 'string', display: 'string', primary: 'boolean', $ref: 'reference' }
        const lists = (await readEveryAttribute(provider)).filter(({ multiValued }) => multiValued)
        const parts = lists.flatMap(({ subAttributes = [] }) => subAttributes)
        assert(parts.length > 0)
        assert.deepEqual(
          parts.filter(({ name, type }) => meanings[name] !== undefined && meanings[name] !== type),
          [],
        )
      },
    },
  },
  {
    section: '2.4',
    level: 'MUST',
    text: 'At most one value of a list is primary.',
    coveredBy: {
      test: 'of two emails sent as primary, one is returned as primary',
      run: async (provider) => {
        const emails = [
          { value: 'work@acme.example', type: 'work', primary: true },
          { value: 'home@acme.example', type: 'home', primary: true },
        ]
        assert.equal(primaries(await createUser(provider, { emails })).length, 1)
      },
    },
  },
  {
    section: '2.4',
    level: 'MUST',
    text: 'At most one value of a list is primary, also after a value has been added.',
    coveredBy: {
      test: 'an email added as primary is the only primary one',
      run: async (provider) => {
        const user = await createUser(provider, { emails: [{ value: 'old@acme.example', primary: true }] })
        const value = [{ value: 'new@acme.example', primary: true }]
        const patched = await provider.send(
          'PATCH',
          pathOf(provider, user),
          patchOf({ op: 'add', path: 'emails', value }),
        )
        assert.deepEqual(
          primaries(patched).map((email) => email['value']),
          ['new@acme.example'],
        )
      },
    },
  },
  {
    section: '2.4',
    level: 'MUST',
    text: 'A value without `primary` is not primary.',
    coveredBy: {
      test: 'a filter for values that are not primary matches one without `primary`',
      run: async (provider) => {
        const user = await createUser(provider, { emails: [{ value: 'work@acme.example' }] })
        assert.deepEqual(await findUsers(provider, 'emails[primary eq false]'), [user.body.id])
      },
    },
  },
  {
    section: '2.4',
    level: 'MUST',
    text: 'References to a resource are equal with and without the protocol version.',
    coveredBy: {
      because:
        'URLs contain only one version of the protocol, and references sent by clients are never compared: members and ' +
        'managers are identified by `value`, and the service generates the `$ref` of members.',
    },
  },
  {
    section: '2.4',
    level: 'SHOULD',
    text: 'Values are returned in a canonical form, for example with a type that distinguishes them.',
    coveredBy: {
      test: 'an email is returned with its type, and a `primary` sent as text as a boolean',
      run: async (provider) => {
        const user = await createUser(provider, { emails: { value: 'a@acme.example', type: 'home', primary: 'True' } })
        assert.deepEqual(emailsOf(user), [{ value: 'a@acme.example', type: 'home', primary: true }])
      },
      strict: {
        test: 'an email is returned with its type and as primary',
        run: async (provider) => {
          const email = { value: 'a@acme.example', type: 'home', primary: true }
          assert.deepEqual(emailsOf(await createUser(provider, { emails: [email] })), [email])
        },
      },
    },
  },
  {
    section: '2.4',
    level: 'SHOULD',
    text: 'No pair of type and value occurs twice in a list.',
    coveredBy: {
      test: 'of two equal emails with the same type one is returned; the same email with another type is kept',
      run: async (provider) => {
        const [work, home] = ['work', 'home'].map((type) => ({ value: 'a@acme.example', type }))
        const user = await createUser(provider, { emails: [work, home, work] })
        assert.deepEqual(emailsOf(user), [work, home])
      },
    },
  },
  {
    section: '2.4',
    level: 'SHOULD',
    text: 'No pair of type and value occurs twice in a list, however it was added.',
    coveredBy: {
      test: 'adding an existing email adds nothing',
      run: async (provider) => {
        const email = { value: 'a@acme.example', type: 'work' }
        const user = await createUser(provider, { emails: [email] })
        const addition = patchOf({ op: 'add', path: 'emails', value: [email] })
        assert.deepEqual(emailsOf(await provider.send('PATCH', pathOf(provider, user), addition)), [email])
      },
    },
  },
]

function emailsOf(user: Answer): readonly Fields[] {
  assert(user.status < 300, user.text)
  return fieldsOf(user)['emails'] as readonly Fields[]
}

function primaries(user: Answer): Fields[] {
  return emailsOf(user).filter((email) => email['primary'] === true)
}
