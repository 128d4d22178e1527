import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { retitled, user } from './messages.ts'

/** RFC 7644 §3.11. */
export const me: readonly Requirement[] = [
  {
    section: '3.11',
    level: 'SHOULD',
    asks: 'When /Me is not supported, it returns 501.',
    shownBy: {
      test: '/Me returns 501 for every method',
      async run(provider) {
        assertScimRefusal(await provider.send('GET', '/Me'), 501)
        assertScimRefusal(await provider.send('POST', '/Me', user('ann')), 501)
        assertScimRefusal(await provider.send('PUT', '/Me', user('ann')), 501)
        assertScimRefusal(await provider.send('PATCH', '/Me', retitled('Guide')), 501)
        assertScimRefusal(await provider.send('DELETE', '/Me'), 501)
      },
    },
  },
  {
    section: '3.11',
    level: 'MUST',
    asks: 'Where /Me returns a resource, Location is the address of the resource itself.',
    shownBy: { because: 'A SCIM secret stands for a directory and not for a user, so that /Me has no resource.' },
  },
]
