import type { JsonObject } from '../../src/scim/json.ts'
import { times } from '../workload/users.ts'
import type { PatchBody, PatchBodyOperation, PeerName } from './contenders/contender.ts'
import { enterpriseUser } from './users.ts'

/** Variants of a PATCH request, used in turn. */
export interface PatchInput {
  readonly name: string
  readonly bodies: readonly PatchBody[]
  /** The attributes for which a peer has another result, and the reason. */
  readonly differs?: Readonly<Partial<Record<PeerName, { readonly attributes: JsonObject; readonly because: string }>>>
  /** The reason why a peer cannot perform it. */
  readonly notDoneBy?: Readonly<Partial<Record<PeerName, string>>>
}

const variants = 32

function patchInput(name: string, operationsOf: (number: number) => PatchBodyOperation[]): PatchInput {
  const body = (number: number): PatchBody => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: operationsOf(number),
  })
  return { name, bodies: times(variants, body) }
}

export const patchInputs: readonly PatchInput[] = [
  {
    ...patchInput('Entra: Replace active "False"', () => [{ op: 'Replace', path: 'active', value: 'False' }]),
    differs: { 'scim-patch': { attributes: { active: 'False' }, because: 'stores the text "False"' } },
    notDoneBy: { scimmy: 'rejects the text "False"' },
  },
  patchInput('Entra with its flag: Replace active false', () => [{ op: 'Replace', path: 'active', value: false }]),
  patchInput('Entra: Add emails[type eq "work"].value', (number) => [
    { op: 'Add', path: 'emails[type eq "work"].value', value: `tomas.${number}@example.org` },
  ]),
  patchInput('Okta: replace {"active":false}', () => [{ op: 'replace', value: { active: false } }]),
  patchInput('10 operations', tenOperations),
]

function tenOperations(number: number): PatchBodyOperation[] {
  return [
    { op: 'replace', path: 'displayName', value: `Tomas Weber-Lang ${number}` },
    { op: 'replace', path: 'name.familyName', value: `Weber-Lang ${number}` },
    { op: 'replace', path: 'name.formatted', value: `Tomas Weber-Lang ${number}` },
    { op: 'replace', path: 'emails[type eq "work"].value', value: `tomas.weberlang.${number}@example.com` },
    { op: 'add', path: 'phoneNumbers[type eq "mobile"].value', value: `+49 30 55501${number}` },
    { op: 'replace', path: 'addresses[type eq "work"].streetAddress', value: `Seestrasse ${number}` },
    { op: 'replace', path: `${enterpriseUser}:department`, value: `Strategic Procurement ${number}` },
    { op: 'add', path: `${enterpriseUser}:employeeNumber`, value: String(2000 + number) },
    { op: 'add', path: 'emails', value: [{ type: 'other', value: `tomas.${number}@example.net` }] },
    { op: 'remove', path: 'nickName' },
  ]
}
