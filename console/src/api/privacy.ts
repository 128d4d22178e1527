import { requestFile } from './http.ts'
import { dsync, send } from './queries.ts'
import type { Erasure } from './types.ts'

/** The path below which erasures are listed. */
export const privacyPath = `${dsync}/privacy`

/** Whose data is asked for. */
export interface Person {
  readonly tenant: string
  readonly product: string
  readonly subject: string
}

/** The numbers of records that an erasure changes, or has changed, by their kind. */
export type Places = Erasure['places']

/** Counts what an erasure would change. */
export async function countHeld(person: Person): Promise<Places> {
  return (await send<Erasure>('POST', `${privacyPath}/erase`, { ...person, dry_run: true })).places
}

export function erase(person: Person, reason: string): Promise<Erasure> {
  return send('POST', `${privacyPath}/erase`, { ...person, ...(reason === '' ? {} : { reason }) })
}

export function exportPerson(person: Person): Promise<Blob> {
  return requestFile(`${privacyPath}/export`, person)
}
