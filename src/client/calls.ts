import type { ParamsOption, RequestBodyOption } from 'openapi-fetch'
import createFetchClient from 'openapi-fetch'
import { errorOf } from './error.ts'
import type { ApiPaths } from './types.ts'
import { apiPath } from './types.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'

type PathsWith<M extends Method> = {
  [Path in keyof ApiPaths]: ApiPaths[Path] extends Record<M, object> ? Path : never
}[keyof ApiPaths]

type OperationAt<Path extends keyof ApiPaths, M extends Method> =
  ApiPaths[Path] extends Record<M, infer Operation> ? Operation : never

interface Shared {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** The parameters and the body of an operation; an argument is required only if one of them is. */
type Input<Operation> =
  Record<never, never> extends ParamsOption<Operation> & RequestBodyOption<Operation>
    ? [input?: ParamsOption<Operation> & RequestBodyOption<Operation> & Shared]
    : [input: ParamsOption<Operation> & RequestBodyOption<Operation> & Shared]

type ContentOf<Answer> = Answer extends { readonly content: { readonly 'application/json': infer Body } } ? Body : never

/** The body of a successful response: `{data, error: null}`, and for a list the `pageToken`. */
type BodyOf<Operation> = Operation extends { readonly responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 201 | 202)]: ContentOf<Responses[Status]> }[keyof Responses &
      (200 | 201 | 202)]
  : never

/**
 * Calls an operation by its path, as in the API reference, without `/api/v1/directory-sync`.
 *
 * @throws RollcallError when the service refuses the request
 */
export type Call<M extends Method> = <Path extends PathsWith<M>>(
  path: Path,
  ...input: Input<OperationAt<Path, M>>
) => Promise<BodyOf<OperationAt<Path, M>>>

/** The typed calls, by method. */
export interface Calls {
  readonly GET: Call<'get'>
  readonly POST: Call<'post'>
  readonly PATCH: Call<'patch'>
  readonly DELETE: Call<'delete'>
}

/** The address and credentials of the service. */
export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
}

export function createCalls({ baseUrl, headers, fetch }: Connection): Calls {
  const client = createFetchClient<ApiPaths>({
    baseUrl: baseUrl + apiPath,
    headers,
    fetch: (request) => fetch(request),
  })
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw await errorOf(response)
    },
  })
  // `Calls` types the arguments and results of `request`, whose own types cannot be inferred from a type parameter.
  const request = client.request as (method: Method, path: string, input?: object) => Promise<{ data?: unknown }>
  const call = (method: Method) => async (path: string, input?: object) => (await request(method, path, input)).data
  return { GET: call('get'), POST: call('post'), PATCH: call('patch'), DELETE: call('delete') } as Calls
}
