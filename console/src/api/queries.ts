import type { InfiniteData } from '@tanstack/react-query'
import {
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Query } from './http.ts'
import { ApiError, request, withQuery } from './http.ts'

export const dsync = '/api/v1/directory-sync'
export const adminApi = '/auditlog/admin/v1'

/** Repeats reads that did not reach the service; a refusal is final. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // A service on the same machine is reached without a network.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 5_000,
        retry: (failures, error) =>
          failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status === 503),
      },
    },
  })
}

interface Envelope<T> {
  readonly data: T
  readonly pageToken?: string
  readonly total?: number
}

/** The rows of a list that were read, and how many it has, if the service counts them. */
export type Rows<T> = readonly T[] & { readonly total?: number | undefined }

interface ReadOptions<T> {
  /** How often to read again, in milliseconds; it may depend on what was read last. */
  readonly every?: number | false | ((last: T | undefined) => number | false)
  readonly enabled?: boolean
}

interface RowOptions {
  readonly every?: number | false
  readonly enabled?: boolean
}

/** Reads one thing. */
export function useData<T>(path: string, query: Query = {}, { every = false, enabled = true }: ReadOptions<T> = {}) {
  return useQuery<T, ApiError>({
    queryKey: [path, query],
    queryFn: async () => (await request<Envelope<T>>('GET', withQuery(path, query))).data,
    refetchInterval: typeof every === 'function' ? ({ state }) => every(state.data) : every,
    enabled,
    placeholderData: keepPreviousData,
  })
}

/** One function for all renderings: the rows are then the same ones until another page was read. */
function rowsIn<T>({ pages }: InfiniteData<Envelope<readonly T[]>, string | undefined>): Rows<T> {
  const rows = pages.flatMap(({ data }) => data)
  return Object.assign(rows, { total: pages[0]?.total })
}

/** Reads a list page by page. With `total: true`, the service counts the whole list where it can. */
export function useRows<T>(path: string, query: Query = {}, { every = false, enabled = true }: RowOptions = {}) {
  return useInfiniteQuery<Envelope<readonly T[]>, ApiError, Rows<T>, readonly unknown[], string | undefined>({
    queryKey: [path, 'rows', query],
    queryFn: ({ pageParam }) =>
      request<Envelope<readonly T[]>>(
        'GET',
        withQuery(path, { pageLimit: 50, ...query, ...(pageParam && { pageToken: pageParam, total: undefined }) }),
      ),
    initialPageParam: undefined,
    getNextPageParam: ({ pageToken }) => pageToken,
    select: rowsIn<T>,
    refetchInterval: every,
    enabled,
    placeholderData: keepPreviousData,
  })
}

/** A change; afterwards everything below these paths is read again. */
export function useAction<Input, Output>(act: (input: Input) => Promise<Output>, changed: readonly string[]) {
  const client = useQueryClient()
  return useMutation<Output, ApiError, Input>({
    mutationFn: act,
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [path] }) => changed.some((start) => String(path).startsWith(start)),
      }),
  })
}

/** Sends a change and returns its data. */
export async function send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
  return (await request<Envelope<T>>(method, path, body)).data
}
