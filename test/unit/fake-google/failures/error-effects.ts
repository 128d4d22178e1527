import type { ApiErrorName } from '../../../../tools/fake-google/api/errors.ts'
import type { TokenErrorName } from '../../../../tools/fake-google/oauth/errors.ts'
import type { Effects } from './effect.ts'
import { api, lists, wholeLists } from './effect.ts'

/** A retry does not help; for a membership, the lists decide. */
const refused: Effects = { ends: [...lists, 'users.get', 'groups.get'], part: ['members.hasMember'] }

/** The effects of each error of the Directory API; a new error does not compile without a row. */
const apiErrorEffects = {
  'bad-request': refused,
  'invalid-input': { restarts: lists, ends: ['users.get', 'groups.get'], part: ['members.hasMember'] },
  'failed-precondition': refused,
  'auth-error': { overcome: api },
  forbidden: { ends: [...wholeLists, 'users.get'], part: ['members.list', 'groups.get', 'members.hasMember'] },
  'insufficient-permissions': { ends: api },
  'domain-cannot-use-apis': refused,
  'access-not-configured': { ends: api },
  'user-rate-limit': { overcome: api },
  'quota-exceeded': { overcome: api },
  'daily-limit': { ends: api },
  'group-not-found': { part: ['members.list', 'members.hasMember'], lies: ['groups.get'] },
  'user-not-found': { part: ['members.hasMember'], lies: ['users.get'] },
  'domain-not-found': { ends: wholeLists },
  'rate-limit': { overcome: api },
  'backend-error': { overcome: api },
  'internal-error': { overcome: api },
  'service-unavailable': { overcome: api },
  'bad-gateway': { overcome: [...api, 'token'] },
  'gateway-timeout': { overcome: [...api, 'token'] },
} satisfies Record<ApiErrorName, Effects>

const ends: Effects = { ends: ['token'] }
const overcome: Effects = { overcome: ['token'] }

/** The same for the token endpoint, for refreshes and assertions. */
const tokenErrorEffects = {
  'token-revoked': ends,
  'bad-grant': ends,
  'invalid-rapt': ends,
  'rapt-required': ends,
  'redirect-uri-mismatch': ends,
  'invalid-request': ends,
  'unsupported-grant-type': ends,
  'invalid-scope': ends,
  'invalid-client': ends,
  'client-not-found': ends,
  'unauthorized-client': ends,
  'access-denied': ends,
  'admin-policy-enforced': ends,
  'org-internal': ends,
  'token-rate-limit': overcome,
  'token-internal-failure': overcome,
  'token-unavailable': overcome,
} satisfies Record<TokenErrorName, Effects>

/** The effects of all errors. */
export const errorEffects: Readonly<Record<ApiErrorName | TokenErrorName, Effects>> = {
  ...apiErrorEffects,
  ...tokenErrorEffects,
}
