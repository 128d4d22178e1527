import type { FakeUser } from '../model/items.ts'
import { ApiRefusal } from './errors.ts'

type Test = (user: FakeUser) => boolean

/**
 * The `query` of users.list: the few forms of it that the fake knows.
 *
 * @throws ApiRefusal for any other
 */
export function readUserQuery(query: string | null): Test {
  if (query === null || query === '') return () => true
  const [, name, operator, text = ''] = /^(isSuspended|isArchived|orgUnitPath|email)([=:])(.*)$/.exec(query) ?? []
  const value = text.replace(/^'(.*)'$/, '$1')
  if (name === 'isSuspended') return (user) => String(user.suspended) === value
  if (name === 'isArchived') return (user) => String(user.archived) === value
  if (name === 'orgUnitPath') return (user) => user.orgUnitPath === value
  if (name === 'email') return emailTest(operator === ':', value.toLowerCase())
  throw new ApiRefusal('invalid-input', 'Invalid Input: query')
}

function emailTest(isPrefix: boolean, value: string): Test {
  const start = isPrefix && value.endsWith('*') ? value.slice(0, -1) : undefined
  return ({ primaryEmail, aliases }) =>
    [primaryEmail, ...aliases].some((address) => {
      const folded = address.toLowerCase()
      return start === undefined ? folded === value : folded.startsWith(start)
    })
}
