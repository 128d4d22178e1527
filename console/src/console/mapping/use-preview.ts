import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ApiError } from '../../api/http.ts'
import { request, withQuery } from '../../api/http.ts'
import type { MappingPreview } from '../../api/types.ts'
import { readDraft } from './draft.ts'
import type { MappingPlace } from './place.tsx'

/** How long the draft must stay unchanged before it is previewed, in milliseconds. */
const typingMs = 500

interface PreviewPage {
  readonly data: MappingPreview
  readonly pageToken?: string
}

/** Asks what a mapping would do. */
export function readPreview(
  { path, query }: MappingPlace,
  mapping: unknown,
  paging: { readonly pageLimit: number; readonly pageToken?: string | undefined },
): Promise<PreviewPage> {
  return request('POST', withQuery(`${path}/preview`, { ...query, ...paging }), { mapping })
}

export type Preview = ReturnType<typeof usePreview>

/**
 * Previews the draft once typing pauses. Answers belong to the text that they were asked for, so that an earlier one never takes
 * the place of a later one. The numbers are those of the first page.
 */
export function usePreview(place: MappingPlace, text: string) {
  const [settled] = useDebouncedValue(text, typingMs)
  const pages = useInfiniteQuery({
    queryKey: [`${place.path}/preview`, place.query, settled],
    queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
      readPreview(place, JSON.parse(settled), { pageLimit: 20, pageToken: pageParam }),
    initialPageParam: undefined,
    getNextPageParam: ({ pageToken }) => pageToken,
    enabled: readDraft(settled).problem?.message === undefined,
    placeholderData: keepPreviousData,
    // It looks at every user: it is asked for again when the draft or the mapping changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  })
  const { data, error, isFetching, isPlaceholderData, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = pages
  return {
    numbers: data?.pages[0]?.data,
    users: data?.pages.flatMap((page) => page.data.users) ?? [],
    error: error as ApiError | null,
    /** Whether it is that of an earlier draft. */
    isUpdating: text !== settled || isPlaceholderData || (isFetching && !isFetchingNextPage),
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
    refetch,
  }
}
