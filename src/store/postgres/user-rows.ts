import type { IndexedUser } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import { arrayParameters, withoutNul } from './parameters.ts'

/** The columns of `userArrays` as statements name them. */
export const userArrayColumns = `id, version, created_at, updated_at, user_name, user_name_folded, external_id,
      display_name, email, first_name, last_name, active, raw`

/** The parameters of `userArrays`, from that number on. */
export function userParameters(first: number): string {
  const texts = Array.from({ length: 7 }, () => 'text' as const)
  return arrayParameters(first, ['text', 'int8', 'int8', 'int8', ...texts, 'int4', 'text'])
}

/** How many parameters `userArrays` fills. */
export const userParameterCount = 13

/** Users by column. */
export function userArrays(users: readonly IndexedUser[]): unknown[][] {
  return [
    users.map(({ id }) => id),
    users.map(({ version }) => version),
    users.map(({ createdAt }) => createdAt),
    users.map(({ updatedAt }) => updatedAt),
    users.map(({ userName }) => userName),
    users.map(({ userName }) => fold(userName)),
    users.map(({ externalId }) => externalId ?? null),
    users.map(({ displayName }) => displayName),
    users.map(({ email }) => email),
    users.map(({ firstName }) => withoutNul(firstName)),
    users.map(({ lastName }) => withoutNul(lastName)),
    users.map(({ active }) => Number(active)),
    users.map(({ raw }) => raw),
  ]
}

/** Who has which e-mail addresses, by column: the user's id, the address. */
export function emailArrays(owners: readonly { id: string; emails: readonly string[] }[]): [string[], string[]] {
  return [owners.flatMap(({ id, emails }) => emails.map(() => id)), owners.flatMap(({ emails }) => emails)]
}
