import { times } from '../workload/users.ts'
import type { PeerName } from './contenders/contender.ts'
import { departmentOf, enterpriseUser, userNameOf } from './users.ts'

/** Variants of a filter, used in turn: a server rarely receives the same filter twice. */
export interface FilterInput {
  readonly name: string
  readonly texts: readonly string[]
  /** The reason why a peer that parses the filter is not compared in evaluating it. */
  readonly notMatchedBy?: Readonly<Partial<Record<PeerName, string>>>
}

const variants = 32

function filterInput(name: string, textOf: (number: number) => string): FilterInput {
  return { name, texts: times(variants, (index) => textOf(1 + index * 7)) }
}

export const filterInputs: readonly FilterInput[] = [
  filterInput('userName eq "…"', (number) => `userName eq "${userNameOf(number)}"`),
  filterInput(
    'emails[type eq "work"].value eq "…"',
    (number) => `emails[type eq "work"].value eq "${userNameOf(number)}"`,
  ),
  filterInput(
    '… and (… or …) or not (…) and …',
    (number) =>
      `active eq true and (title eq "Recruiter" or userName sw "maya.${number}") or not (userType eq "Employee") and name.familyName co "ense"`,
  ),
  {
    ...filterInput(
      'urn:…:User:department eq "…"',
      (number) => `${enterpriseUser}:department eq "${departmentOf(number)}"`,
    ),
    notMatchedBy: { scimmy: 'does not match attributes with a URN' },
  },
]
