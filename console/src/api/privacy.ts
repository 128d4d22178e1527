import { requestFile } from './http.ts'
import { dsync, send } from './queries.ts'
import type { Erasure } from './types.ts'

/** The path below which erasures are listed. */
export const privacyPath = `${dsync}/privacy`

/** The person whose data is requested. */
export interface Person {
  readonly tenant: string
  readonly product: string
  readonly subject: string
}

/** The numbers of records that an erasure changes, or has changed, by their kind. */
export type Places = Erasure['places']

/** Erases a person. A dry run only counts what that would change, and finds out what must be done first. */
export function erase(person: Person, options: { reason?: string; dry_run?: true }): Promise<Erasure> {
  return send('POST', `${privacyPath}/erase`, { ...person, ...options })
}

export function exportPerson(person: Person): Promise<Blob> {
  return requestFile(`${privacyPath}/export`, person)
}
