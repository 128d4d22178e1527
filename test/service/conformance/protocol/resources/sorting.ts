import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Provider, Requirement } from '../../requirement.ts'
import type { Fields } from './support/fields.ts'
import type { Parameters } from './support/list.ts'
import { queryOf, userNames } from './support/list.ts'
import { provisionUsers } from './support/provision.ts'

/** RFC 7644 §3.4.2.3: sorting. */
export const sortingRequirements: readonly Requirement[] = [
  coveredBySorting({
    text: '`sortBy` names the attribute whose value decides the order.',
    test: 'users are sorted by their titles',
    users: [
      { userName: 'ann', title: 'Pilot' },
      { userName: 'bob', title: 'Guide' },
      { userName: 'cleo', title: 'Owner' },
    ],
    by: { sortBy: 'title' },
    order: ['bob', 'cleo', 'ann'],
  }),
  coveredBySorting({
    text: 'The whole result is sorted before it is divided into pages.',
    test: 'the second page of sorted users continues where the first one ended',
    users: [{ userName: 'cleo' }, { userName: 'ann' }, { userName: 'dora' }, { userName: 'bob' }],
    by: { sortBy: 'userName', startIndex: 3, count: 2 },
    order: ['cleo', 'dora'],
  }),
  coveredBySorting({
    text: 'A multi-valued attribute is sorted by its primary value.',
    test: 'users are sorted by their primary email addresses',
    users: [
      { userName: 'ann', emails: [{ value: 'a@a.example' }, { value: 'z@a.example', primary: true }] },
      { userName: 'bob', emails: [{ value: 'b@b.example', primary: true }, { value: 'y@b.example' }] },
    ],
    by: { sortBy: 'emails.value' },
    order: ['bob', 'ann'],
  }),
  coveredBySorting({
    text: 'A multi-valued attribute without a primary value is sorted by its first value.',
    test: 'users are sorted by the first of their email addresses',
    users: [
      { userName: 'ann', emails: [{ value: 'z@a.example' }, { value: 'a@a.example' }] },
      { userName: 'bob', emails: [{ value: 'b@b.example' }, { value: 'y@b.example' }] },
    ],
    by: { sortBy: 'emails' },
    order: ['bob', 'ann'],
  }),
  coveredBySorting({
    text: 'A complex attribute is sorted by the sub-attribute that the path names.',
    test: 'users are sorted by their family names',
    users: [
      { userName: 'ann', name: { familyName: 'Zola', givenName: 'Ann' } },
      { userName: 'bob', name: { familyName: 'Barker', givenName: 'Bob' } },
    ],
    by: { sortBy: 'name.familyName' },
    order: ['bob', 'ann'],
  }),
  {
    section: '3.4.2.3',
    level: 'MUST',
    text: 'Sorting by a complex attribute without `value` must name a sub-attribute.',
    coveredBy: {
      test: 'sorting by name is rejected',
      async run(provider) {
        assertScimError(await provider.send('GET', `/Users${queryOf({ sortBy: 'name' })}`), 400, 'invalidValue')
      },
    },
  },
  coveredBySorting({
    text: 'Resources without the attribute come last in ascending order.',
    test: 'a user without a title comes last in ascending order',
    users: [{ userName: 'ann' }, { userName: 'bob', title: 'Pilot' }, { userName: 'cleo', title: 'Guide' }],
    by: { sortBy: 'title', sortOrder: 'ascending' },
    order: ['cleo', 'bob', 'ann'],
  }),
  coveredBySorting({
    text: 'Resources without the attribute come first in descending order.',
    test: 'a user without a title comes first in descending order',
    users: [{ userName: 'bob', title: 'Pilot' }, { userName: 'cleo', title: 'Guide' }, { userName: 'ann' }],
    by: { sortBy: 'title', sortOrder: 'descending' },
    order: ['ann', 'bob', 'cleo'],
  }),
  coveredBySorting({
    text: 'Without `sortOrder` the order is ascending.',
    test: 'users are in ascending order unless another is requested',
    users: [{ userName: 'cleo' }, { userName: 'ann' }, { userName: 'bob' }],
    by: { sortBy: 'userName' },
    order: ['ann', 'bob', 'cleo'],
  }),
  coveredBySorting({
    text: '`sortOrder` can select descending order.',
    test: 'users are in descending order when that is requested',
    users: [{ userName: 'cleo' }, { userName: 'ann' }, { userName: 'bob' }],
    by: { sortBy: 'userName', sortOrder: 'descending' },
    order: ['cleo', 'bob', 'ann'],
  }),
  coveredBySorting({
    text: 'Case-insensitive text is sorted ignoring case.',
    test: 'capital and small letters are mixed in the order of userNames',
    users: [{ userName: 'bob' }, { userName: 'Cleo' }, { userName: 'Ann' }, { userName: 'dora' }],
    by: { sortBy: 'userName' },
    order: ['Ann', 'bob', 'Cleo', 'dora'],
  }),
  coveredBySorting({
    text: 'This applies to every case-insensitive attribute, not only to userName.',
    test: 'capital and small letters are mixed in the order of titles',
    users: [
      { userName: 'ann', title: 'pilot' },
      { userName: 'bob', title: 'Owner' },
      { userName: 'cleo', title: 'guide' },
    ],
    by: { sortBy: 'title' },
    order: ['cleo', 'bob', 'ann'],
  }),
  coveredBySorting({
    text: 'Case-exact text is sorted by case.',
    test: 'capital letters come before small ones in the order of externalIds',
    users: [
      { userName: 'ann', externalId: 'a' },
      { userName: 'bob', externalId: 'B' },
      { userName: 'cleo', externalId: 'C' },
      { userName: 'dora', externalId: 'b' },
    ],
    by: { sortBy: 'externalId' },
    order: ['bob', 'cleo', 'ann', 'dora'],
  }),
]

interface Sorting {
  readonly text: string
  readonly test: string
  /** In the order of creation. */
  readonly users: readonly Fields[]
  readonly by: Parameters
  readonly order: readonly string[]
}

function coveredBySorting({ text, test, users, by, order }: Sorting): Requirement {
  const run = async (provider: Provider): Promise<void> => {
    await provisionUsers(provider, ...users)
    assert.deepEqual(await userNames(provider, by), order)
  }
  return { section: '3.4.2.3', level: 'MUST', text, coveredBy: { test, run } }
}
