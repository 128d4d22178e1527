import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Provider, Requirement } from '../requirement.ts'
import { createUser } from './support/create-resource.ts'
import { patchOf, searchRequest, user } from './support/messages.ts'
import { usersFound } from './support/read-resources.ts'

/** Creates a user, and checks that the service provider treats the other spelling of its name as the same name. */
async function assertSameName(provider: Provider, userName: string, spelling: string): Promise<void> {
  const { id } = await createUser(provider, userName)
  const other = await createUser(provider, 'other')
  const renamed = patchOf({ op: 'replace', path: 'userName', value: spelling })
  assertScimError(await provider.send('POST', '/Users', user(spelling)), 409, 'uniqueness')
  assertScimError(await provider.send('PUT', other.path, user(spelling)), 409, 'uniqueness')
  assertScimError(await provider.send('PATCH', other.path, renamed), 409, 'uniqueness')
  assert.deepEqual(await usersFound(provider, `userName eq "${spelling}"`), [id])
}

/** RFC 7644 §5. */
export const internationalizedStrings: readonly Requirement[] = [
  {
    section: '5',
    level: 'MUST',
    text: 'Names that differ only in letter case are the same userName, in every script.',
    coveredBy: {
      test: 'a userName is in use in any letter case, beyond ASCII too',
      run: (provider) => assertSameName(provider, 'žofie.Ärmel-ДИМА', 'ŽOFIE.äRMEL-дима'),
    },
  },
  {
    section: '5',
    level: 'MUST',
    text: 'Names with composed and with decomposed characters are the same userName.',
    coveredBy: {
      test: 'a userName is in use with composed and decomposed accents',
      run: (provider) => assertSameName(provider, 'jos\u00e9.nu\u00f1ez', 'jose\u0301.nun\u0303ez'),
    },
  },
  {
    section: '5',
    level: 'MUST',
    text: 'Names with full-width and with half-width characters are the same userName.',
    coveredBy: {
      test: 'a userName is in use whatever the width of its characters',
      run: (provider) => assertSameName(provider, 'ann-カナ', '\uff41\uff4e\uff4e-\uff76\uff85'),
    },
  },
  {
    section: '5',
    level: 'MUST',
    text: 'Nothing else is folded: names that differ in accents, or only look alike, are different.',
    coveredBy: {
      test: 'names with other accents or in another script are different names',
      async run(provider) {
        const names = ['jose', 'jos\u00e9', 'j\u043es\u0435', 'j\u00f8se']
        for (const name of names) await createUser(provider, name)
        for (const name of names) assert.equal((await usersFound(provider, `userName eq "${name}"`)).length, 1)
      },
    },
  },
  {
    section: '5',
    level: 'MUST',
    text: 'A userName of code points that PRECIS does not allow cannot be prepared.',
    coveredBy: {
      because:
        'Such names are not rejected, and are compared by the same rules: the identity provider chooses the names, and a rejected user would not be synced.',
    },
    deviation: {
      text: 'A `userName` may have code points that PRECIS does not allow; it is compared by the same rules.',
      endedBy: { none: 'the identity provider chooses the names, and a rejected user would not be synced.' },
    },
  },
  {
    section: '5',
    level: 'MUST',
    text: 'Passwords are prepared before they are compared.',
    coveredBy: {
      because: 'Passwords are neither stored nor compared: test/service/scim/passwords.test.ts looks for them.',
    },
  },
]

/** RFC 7644 §7.8. */
export const filteredText: readonly Requirement[] = [
  {
    section: '7.8',
    level: 'MUST',
    text: 'Text is prepared before a filter compares it, in a GET and in a search, for all attributes.',
    coveredBy: {
      test: 'filters match text in another Unicode form, and compare case-exact attributes exactly',
      async run(provider) {
        const { id } = await createUser(provider, 'ann', { title: 'Ém\u00e9rite', externalId: 'Ab' })
        for (const spelling of ['E\u0301ME\u0301RITE', 'ém\u00e9rite']) {
          for (const filter of [`title eq "${spelling}"`, `title sw "${spelling.slice(0, 2)}"`]) {
            assert.deepEqual(await usersFound(provider, filter), [id], filter)
            const search = await provider.send('POST', '/Users/.search', searchRequest({ filter }))
            assert.equal(search.body.totalResults, 1, filter)
          }
        }
        assert.deepEqual(await usersFound(provider, 'externalId eq "aB"'), [])
      },
    },
  },
]
