import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Provider, Requirement } from '../../requirement.ts'
import { createUser } from './create-resource.ts'
import { patchOf, searchRequest, user } from './messages.ts'
import { usersFound } from './read-resources.ts'

/** Creates a user, and holds the service provider to it that the other spelling of the name is the same name. */
async function assertSameName(provider: Provider, userName: string, spelling: string): Promise<void> {
  const { id } = await createUser(provider, userName)
  const other = await createUser(provider, 'other')
  const renamed = patchOf({ op: 'replace', path: 'userName', value: spelling })
  assertScimRefusal(await provider.send('POST', '/Users', user(spelling)), 409, 'uniqueness')
  assertScimRefusal(await provider.send('PUT', other.path, user(spelling)), 409, 'uniqueness')
  assertScimRefusal(await provider.send('PATCH', other.path, renamed), 409, 'uniqueness')
  assert.deepEqual(await usersFound(provider, `userName eq "${spelling}"`), [id])
}

/** RFC 7644 §5. */
export const internationalizedStrings: readonly Requirement[] = [
  {
    section: '5',
    level: 'MUST',
    asks: 'Names that differ in letter case are one userName, in every script that has it.',
    shownBy: {
      test: 'a userName is in use in any letter case, beyond ASCII too',
      run: (provider) => assertSameName(provider, 'žofie.Ärmel-ДИМА', 'ŽOFIE.äRMEL-дима'),
    },
  },
  {
    section: '5',
    level: 'MUST',
    asks: 'Names whose characters are composed or decomposed are one userName.',
    shownBy: {
      test: 'a userName is in use with composed and decomposed accents',
      run: (provider) => assertSameName(provider, 'jos\u00e9.nu\u00f1ez', 'jose\u0301.nun\u0303ez'),
    },
  },
  {
    section: '5',
    level: 'MUST',
    asks: 'Names in characters of full or half width are one userName.',
    shownBy: {
      test: 'a userName is in use whatever the width of its characters',
      run: (provider) => assertSameName(provider, 'ann-カナ', '\uff41\uff4e\uff4e-\uff76\uff85'),
    },
  },
  {
    section: '5',
    level: 'MUST',
    asks: 'Preparation ends there: names that differ in accents, or look alike, are two.',
    shownBy: {
      test: 'names with other accents or of another script are other names',
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
    asks: 'A userName of code points that PRECIS does not allow cannot be prepared.',
    shownBy: {
      because:
        'Such names are not rejected, and compared by the same rules: the identity provider decides what a person is called, and whoever is rejected is not synced.',
    },
  },
  {
    section: '5',
    level: 'MUST',
    asks: 'Passwords are prepared before they are compared.',
    shownBy: { because: 'Passwords are neither kept nor compared: test/service/passwords.test.ts looks for them.' },
  },
]

/** RFC 7644 §7.8. */
export const filteredText: readonly Requirement[] = [
  {
    section: '7.8',
    level: 'MUST',
    asks: 'Text is prepared before a filter compares it: in a GET and in a search, and for other attributes than userName.',
    shownBy: {
      test: 'filters find text that is spelt otherwise, and compare what is case-exact as it is',
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
