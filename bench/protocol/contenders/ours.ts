import { createPredicate } from '../../../src/scim/filter/evaluate.ts'
import { parseFilter } from '../../../src/scim/filter/parse.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'
import type { FilterContender, PatchContender } from './contender.ts'

/** Evaluates a filter like a listing (`src/provisioning/search/`). */
export const ourFilter: FilterContender<'ours'> = {
  name: 'ours',
  parse: (text) => parseFilter(text, userType),
  matcher(text) {
    const isMatch = createPredicate(parseFilter(text, userType))
    return (users) => users.filter((user) => isMatch(user))
  },
}

/** Applies a PATCH like that of a user (`src/provisioning/users.ts`). */
export const ourPatch: PatchContender<'ours'> = {
  name: 'ours',
  mode: '',
  isInPlace: false,
  isAsync: false,
  patchOf: (resource) => (body) => applyPatch(userType, resource, parsePatch(body, userType)),
}
