import type { ParamsOption, RequestBodyOption } from 'openapi-fetch'
import createFetchClient from 'openapi-fetch'
import { bodyIn, errorOf, isObject } from './error.ts'
import type { ApiPaths } from './types.ts'
import { apiPath } from './types.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

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
 * @throws RollcallError when the service refuses the request, or something else responds
 */
export type Call<M extends Method> = <Path extends PathsWith<M>>(
  path: Path,
  ...input: Input<OperationAt<Path, M>>
) => Promise<BodyOf<OperationAt<Path, M>>>

/** The typed calls, by method. */
export interface Calls {
  readonly GET: Call<'get'>
  readonly POST: Call<'post'>
  readonly PUT: Call<'put'>
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

/** The calls of products, and `LIST`: a `GET` whose response must have a list. */
export function createCalls({ baseUrl, headers, fetch }: Connection): Calls & { readonly LIST: Call<'get'> } {
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
  const request = client.request as (
    method: Method,
    path: string,
    input: object,
  ) => Promise<{ readonly data?: string; readonly response: Response }>
  const call = (method: Method, isData: (data: unknown) => boolean) => async (path: string, input?: object) => {
    const { data = '', response } = await request(method, path, { ...input, parseAs: 'text' })
    return bodyIn(response, data, (body) => isData(body['data']))
  }
  const hasData = (data: unknown) => data !== undefined && data !== null
  const isList = (data: unknown) => Array.isArray(data) && data.every(isObject)
  return {
    ...{ GET: call('get', hasData), POST: call('post', hasData), PUT: call('put', hasData) },
    ...{ PATCH: call('patch', hasData), DELETE: call('delete', hasData), LIST: call('get', isList) },
  } as Calls & { readonly LIST: Call<'get'> }
}
