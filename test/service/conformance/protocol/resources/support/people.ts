import assert from 'node:assert/strict'
import type { Provider, Requirement } from '../../../requirement.ts'
import { queryOf, usersWhere } from './list.ts'
import { provisionUsers } from './provision.ts'
import { enterpriseUrn, userUrn } from './urns.ts'

/** Three users to filter: one with many attributes, one with other values, and one with only a userName. */
export function provisionPeople(provider: Provider): Promise<void> {
  return provisionUsers(
    provider,
    {
      schemas: [userUrn, enterpriseUrn],
      userName: 'ann',
      externalId: 'Badge-1',
      title: 'Tour Guide',
      userType: 'Employee',
      name: { givenName: 'Ann', familyName: 'Archer' },
      emails: [
        { value: 'ann@example.com', type: 'work', primary: true },
        { value: 'archer@example.org', type: 'home' },
      ],
      [enterpriseUrn]: { department: 'Tours' },
    },
    {
      userName: 'bob',
      externalId: 'badge-1',
      title: 'Guide',
      userType: 'Contractor',
      active: false,
      name: { givenName: 'Bob', familyName: 'Barker' },
      emails: [{ value: 'bob@example.org', type: 'work' }],
    },
    { userName: 'cleo' },
  )
}

interface Stated {
  readonly section: string
  readonly level: Requirement['level']
  readonly text: string
  readonly test: string
}

interface Finding extends Stated {
  readonly filter: string
  readonly finds: readonly string[]
  /** The title of the test that a strict directory rejects the filter; undefined: it does not. */
  readonly strict?: string
}

/** A requirement that is tested by the people that a filter matches. */
export function coveredByFinding({ test, filter, finds, strict, ...stated }: Finding): Requirement {
  const run = async (provider: Provider): Promise<void> => {
    await provisionPeople(provider)
    assert.deepEqual(await usersWhere(provider, filter), finds)
  }
  const rejection = strict === undefined ? {} : { strict: { test: strict, run: rejects([filter]) } }
  return { ...stated, coveredBy: { test, run, ...rejection } }
}

/** A requirement that is tested by the rejection of filters. */
export function coveredByRejection({ test, filters, ...stated }: Stated & { filters: readonly string[] }) {
  return { ...stated, coveredBy: { test, run: rejects(filters) } } satisfies Requirement
}

function rejects(filters: readonly string[]) {
  return async (provider: Provider): Promise<void> => {
    for (const filter of filters) {
      const { status, body } = await provider.send('GET', `/Users${queryOf({ filter })}`)
      assert.deepEqual([status, body.scimType], [400, 'invalidFilter'], filter)
    }
  }
}
