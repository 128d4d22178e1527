import { newId } from '../ids/new-id.ts'
import type { EraseInput, PersonInput } from '../privacy/inputs.ts'
import type { LibraryParts } from './parts.ts'
import { caller } from './parts.ts'
import { resultOf } from './result.ts'

/** A person and everything that is held about it, as `POST /privacy/export` returns it. */
export interface PersonalData {
  readonly subject: string
  readonly tenant: string
  readonly product: string
  readonly exported_at: string
  readonly users: readonly { readonly id: string; readonly directory_id: string; readonly is_deleted: boolean }[]
  readonly records: readonly ({ readonly directory_id: string } & Readonly<Record<string, unknown>>)[]
}

/** The erasures of a tenant for a product to list. */
export interface ErasuresQuery {
  readonly tenant: string
  readonly product: string
  readonly pageLimit?: number
  readonly pageToken?: string
}

/** Exports and erases the data about one person. */
export function privacyCalls({ privacy }: LibraryParts) {
  return {
    /** Everything that is held about a person, in memory at once. */
    export: (input: PersonInput) =>
      resultOf(async () => {
        const pieces = await Array.fromAsync(await privacy.export(input, caller))
        return JSON.parse(pieces.join('')) as PersonalData
      }),
    /** Erases a person who is not active; with `dry_run`, only counts. */
    erase: (input: EraseInput) => resultOf(() => privacy.erase(input, newId(), caller)),
    /** A page of the erasures, newest first. */
    erasures: (query: ErasuresQuery) => resultOf(() => privacy.erasures(query)),
  }
}
