import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { ApiError, Query } from '../../api/http.ts'
import { request } from '../../api/http.ts'
import { dsync } from '../../api/queries.ts'
import type { Directory, MappingRun, SeenAttribute } from '../../api/types.ts'
import { useSession } from '../session.tsx'
import type { MappingDocument } from './document.ts'
import type { SuggestedPath } from './suggestions.ts'
import { commonPaths } from './suggestions.ts'

/** The owner of a mapping: a directory, or a product as the default of its directories. */
export interface MappingPlace {
  /** The path of the mapping in the API, and the query that it needs. */
  readonly path: string
  readonly query: Query
  /** The groups that its rules can name. */
  readonly groups: Query
  readonly product: string
  /** Undefined: it belongs to the product. */
  readonly directory: Directory | undefined
}

export function placeOfDirectory(directory: Directory): MappingPlace {
  const { id, product } = directory
  return { path: `${dsync}/${id}/mapping`, query: {}, groups: { directoryId: id }, product, directory }
}

export function placeOfProduct(product: string): MappingPlace {
  return { path: `${dsync}/mapping`, query: { product }, groups: { product }, product, directory: undefined }
}

/** The mapping in effect, with the documents as the editor shows them. */
export interface MappingState {
  readonly mapping: MappingDocument | null
  readonly inherited: boolean
  readonly version: number
  readonly run: MappingRun | null
}

export interface MappingVersion {
  readonly version: number
  readonly mapping: MappingDocument | null
  readonly created_at: string
  readonly created_by: string | null
}

const PlaceContext = createContext<MappingPlace | undefined>(undefined)
export const PlaceProvider = PlaceContext.Provider

/** The owner of the mapping of the page. */
export function usePlace(): MappingPlace {
  const place = useContext(PlaceContext)
  if (place === undefined) throw new Error('this is not on the page of a mapping')
  return place
}

/** The attribute paths to suggest: those that users of the directory have. They are read once: that takes a look at every user. */
export function useSuggestedPaths(): readonly SuggestedPath[] {
  const { path, directory } = usePlace()
  const seen = useQuery<readonly SeenAttribute[], ApiError>({
    queryKey: ['seen attributes', path],
    queryFn: async () => (await request<{ data: readonly SeenAttribute[] }>('GET', `${path}/attributes`)).data,
    enabled: directory !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return seen.data === undefined || seen.data.length === 0 ? commonPaths : seen.data
}

/** Returns whether the session may see the mapping of a product: it concerns all tenants. */
export function useSeesProducts(): boolean {
  return useSession().scope.tenant === null
}
