import { requestFile } from './http.ts'
import { dsync, send } from './queries.ts'

/** The path below which erasures are listed. */
export const privacyPath = `${dsync}/privacy`

/** Whose data is asked for. */
export interface Person {
  readonly tenant: string
  readonly product: string
  readonly subject: string
}

/** The numbers of records that an erasure changes, or has changed, by their kind. */
export type Places = Readonly<Record<string, number>>

/** The answer to an erasure. */
export interface Erased {
  readonly erasure_id: string
  readonly at: string
  readonly places: Places
  readonly receipt: string
  /** The key with which its holder can check whom the receipt is about; only in this answer. */
  readonly subject_key?: string
}

/** An erasure in the list of all. */
export interface Erasure extends Omit<Erased, 'receipt' | 'subject_key'> {
  readonly actor: { readonly name: string | null }
  readonly reason: string | null
  readonly receipt: string | null
}

/** Counts what an erasure would change. */
export async function countHeld(person: Person): Promise<Places> {
  return (await send<Pick<Erased, 'places'>>('POST', `${privacyPath}/erase`, { ...person, dry_run: true })).places
}

export function erase(person: Person, reason: string): Promise<Erased> {
  return send('POST', `${privacyPath}/erase`, { ...person, ...(reason === '' ? {} : { reason }) })
}

export function exportPerson(person: Person): Promise<Blob> {
  return requestFile(`${privacyPath}/export`, person)
}
