import { filter, parse } from 'scim2-parse-filter'
import type { FilterContender } from './contender.ts'

export const parseFilterPackage: FilterContender = {
  name: 'scim2-parse-filter',
  parse,
  matcher(text) {
    const isMatch = filter(parse(text))
    return (users) => users.filter((user) => isMatch(user))
  },
}
