import { times } from '../workload/users.ts'
import type { PeerName } from './contenders/contender.ts'
import { departmentOf, enterpriseUser, userNameOf } from './users.ts'

/** A filter in several wordings, of which one follows the other: a server sees few filters twice. */
export interface FilterInput {
  readonly name: string
  readonly texts: readonly string[]
  /** Why a peer that parses it is not asked which users match. */
  readonly notMatchedBy?: Readonly<Partial<Record<PeerName, string>>>
}

const wordings = 32

function filterInput(name: string, textOf: (number: number) => string): FilterInput {
  return { name, texts: times(wordings, (index) => textOf(1 + index * 7)) }
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
    notMatchedBy: { scimmy: 'finds no user by an attribute with a URN' },
  },
]
