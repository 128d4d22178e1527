import assert from 'node:assert/strict'
import type { Requirement } from '../requirement.ts'
import { createUser, findUsers } from './resources.ts'

/** RFC 7643 §9.2: passwords and other secrets. */
export const securityRequirements: readonly Requirement[] = [
  {
    section: '9.2',
    level: 'MUST',
    text: 'No password is stored in clear text.',
    coveredBy: {
      because: 'No password is stored at all: test/service/scim/passwords.test.ts looks for one in the database.',
    },
  },
  {
    section: '9.2',
    level: 'SHOULD',
    text: 'Stored credentials are protected against injection: no input is executed as a command.',
    coveredBy: {
      test: 'a filter value with quotes and SQL is plain text: it matches only the user with that name',
      run: async (provider) => {
        const userName = "' or 1=1; drop table users; --"
        const user = await createUser(provider, { userName })
        await createUser(provider)
        assert.deepEqual(await findUsers(provider, `userName eq "${userName}"`), [user.body.id])
      },
    },
  },
  {
    section: '9.2',
    level: 'SHOULD',
    text: 'Secrets cannot be guessed online.',
    coveredBy: {
      because: 'A SCIM secret consists of random bytes, is never chosen by people, and is compared in constant time.',
    },
  },
]
