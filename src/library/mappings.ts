import type { MappingPlace } from '../mapping/mappings.ts'
import type { LibraryParts } from './parts.ts'
import { caller } from './parts.ts'
import { resultOf } from './result.ts'

/** A directory, or a product whose mapping is the default of its directories. */
export type MappingOf = { readonly directoryId: string } | { readonly product: string }

export interface PreviewQuery {
  readonly mapping: object
  readonly pageLimit?: number
  readonly pageToken?: string
}

function placeOf(of: MappingOf): MappingPlace {
  return 'directoryId' in of ? { id: of.directoryId } : { product: of.product }
}

/** Mappings of roles and attributes. Fields have the API's names. */
export function mappingCalls({ mappings }: LibraryParts) {
  return {
    /** The mapping in effect, and the progress of its run. */
    get: (of: MappingOf) => resultOf(() => mappings.get(placeOf(of))),
    put: ({ mapping, version, ...of }: MappingOf & { readonly mapping: object; readonly version?: number }) =>
      resultOf(() => mappings.put(placeOf(of), { mapping, ...(version === undefined ? {} : { version }) }, caller)),
    remove: (of: MappingOf) => resultOf(() => mappings.remove(placeOf(of), caller)),
    versions: (of: MappingOf) => resultOf(() => mappings.versions(placeOf(of))),
    /** The changes that a mapping would make; nothing is written. */
    preview: ({ mapping, pageLimit, pageToken, ...of }: MappingOf & PreviewQuery) =>
      resultOf(async () => {
        const page = await mappings.preview(placeOf(of), { mapping }, { pageLimit, pageToken })
        return { ...page.preview, ...(page.pageToken === undefined ? {} : { pageToken: page.pageToken }) }
      }),
    /** The attributes that users of a directory have. */
    attributes: ({ directoryId }: { readonly directoryId: string }) =>
      resultOf(() => mappings.attributesOf(directoryId)),
    /** Why a user has its roles. */
    roles: ({ directoryId, userId }: { readonly directoryId: string; readonly userId: string }) =>
      resultOf(() => mappings.rolesOf(directoryId, userId)),
  }
}
