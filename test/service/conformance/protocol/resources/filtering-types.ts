import assert from 'node:assert/strict'
import type { Provider, Requirement } from '../../requirement.ts'
import { usersWhere } from './support/list.ts'
import { provisionUser, provisionUsers, readUser } from './support/provision.ts'

const ladderUrn = 'urn:example:params:scim:schemas:extension:ladder:2.0:User'

/** RFC 7644 §3.4.2.2: comparisons of other types than text. */
export const filterTypeRequirements: readonly Requirement[] = [
  {
    section: '3.4.2.2',
    level: 'MUST',
    text: '`gt` and `lt` compare dates and times as instants, in any time zone.',
    coveredBy: {
      test: 'gt and lt do not match meta.created written in another time zone',
      async run(provider) {
        const moment = await createdElsewhere(provider)
        assert.deepEqual(await usersWhere(provider, `meta.created gt "${moment}"`), [])
        assert.deepEqual(await usersWhere(provider, `meta.created lt "${moment}"`), [])
        assert.deepEqual(await usersWhere(provider, 'meta.created gt "2020-01-01T00:00:00Z"'), ['ann'])
        assert.deepEqual(await usersWhere(provider, 'meta.created lt "2999-01-01T00:00:00Z"'), ['ann'])
      },
    },
  },
  {
    section: '3.4.2.2',
    level: 'MUST',
    text: '`ge` and `le` match dates and times that denote the same instant.',
    coveredBy: {
      test: 'ge and le match meta.created written in another time zone',
      async run(provider) {
        const moment = await createdElsewhere(provider)
        assert.deepEqual(await usersWhere(provider, `meta.created ge "${moment}"`), ['ann'])
        assert.deepEqual(await usersWhere(provider, `meta.created le "${moment}"`), ['ann'])
      },
    },
  },
  {
    section: '3.4.2.2',
    level: 'MUST',
    text: '`gt`, `ge`, `lt` and `le` compare integers as numbers.',
    coveredBy: {
      test: 'ten is greater than nine',
      async run(provider) {
        await provisionUsers(
          provider,
          { userName: 'ann', [ladderUrn]: { rung: 9 } },
          { userName: 'bob', [ladderUrn]: { rung: 10 } },
        )
        assert.deepEqual(await usersWhere(provider, `${ladderUrn}:rung gt 9`), ['bob'])
        assert.deepEqual(await usersWhere(provider, `${ladderUrn}:rung ge 9`), ['ann', 'bob'])
        assert.deepEqual(await usersWhere(provider, `${ladderUrn}:rung lt 10`), ['ann'])
        assert.deepEqual(await usersWhere(provider, `${ladderUrn}:rung le 10`), ['ann', 'bob'])
      },
      strict: { because: 'No attribute that a strict directory defines is a number.' },
    },
  },
  {
    section: '3.4.2.2',
    level: 'MUST',
    text: 'Booleans are compared with true and false.',
    coveredBy: {
      test: 'active eq false and active ne true find the inactive user',
      async run(provider) {
        await provisionUsers(provider, { userName: 'ann', active: true }, { userName: 'bob', active: false })
        assert.deepEqual(await usersWhere(provider, 'active eq false'), ['bob'])
        assert.deepEqual(await usersWhere(provider, 'active ne true'), ['bob'])
      },
    },
  },
  {
    section: '3.4.2.2',
    level: 'MUST',
    text: 'Filters use a default value that the service provider assigned.',
    coveredBy: {
      test: 'a user created without active is found by the returned value',
      async run(provider) {
        const { active } = await provisionUser(provider, { userName: 'ann' })
        assert.equal(typeof active, 'boolean')
        assert.deepEqual(await usersWhere(provider, `active eq ${active} and active pr`), ['ann'])
      },
    },
  },
]

/** The time at which a new user was created, written in a time zone five hours ahead of UTC. */
async function createdElsewhere(provider: Provider): Promise<string> {
  const { meta } = await readUser(provider, await provisionUser(provider, { userName: 'ann' }))
  const created = (meta as { readonly created: string }).created
  const fiveHoursMs = 5 * 3_600_000
  return new Date(Date.parse(created) + fiveHoursMs).toISOString().replace('Z', '+05:00')
}
