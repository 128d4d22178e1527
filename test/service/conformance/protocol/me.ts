import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { retitled, user } from './support/messages.ts'

/** RFC 7644 §3.11. */
export const me: readonly Requirement[] = [
  {
    section: '3.11',
    level: 'SHOULD',
    text: 'When /Me is not supported, it returns 501.',
    coveredBy: {
      test: '/Me returns 501 for every method',
      async run(provider) {
        assertScimError(await provider.send('GET', '/Me'), 501)
        assertScimError(await provider.send('POST', '/Me', user('ann')), 501)
        assertScimError(await provider.send('PUT', '/Me', user('ann')), 501)
        assertScimError(await provider.send('PATCH', '/Me', retitled('Guide')), 501)
        assertScimError(await provider.send('DELETE', '/Me'), 501)
      },
    },
  },
  {
    section: '3.11',
    level: 'MUST',
    text: 'Where /Me returns a resource, Location is the URL of the resource itself.',
    coveredBy: { because: 'A SCIM secret identifies a directory, not a user, so /Me has no resource.' },
  },
]
