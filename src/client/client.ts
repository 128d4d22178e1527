import type { Calls } from './calls.ts'
import { createCalls } from './calls.ts'
import type { EventOptions, EventReader } from './feed.ts'
import { readEvents } from './feed.ts'
import type { ListOptions } from './pages.ts'
import { eachRow } from './pages.ts'
import type {
  EventSelection,
  Group,
  GroupSelection,
  In,
  Member,
  MemberSelection,
  User,
  UserSelection,
} from './types.ts'

export interface ClientOptions {
  /** The address of the service, such as `https://rollcall.example.com`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: typeof fetch | undefined
}

/** A client of the directory-sync API. Every failure is thrown, a refusal of the service as a `RollcallError`. */
export interface RollcallClient extends Calls {
  /** Every user that is selected; with `product` alone, each has its `tenant`. */
  users<S extends UserSelection>(selection: S, options?: ListOptions): AsyncGenerator<In<S, User>, void, undefined>
  /** Every group that is selected, without its members; with `product` alone, each has its `tenant`. */
  groups<S extends GroupSelection>(selection: S, options?: ListOptions): AsyncGenerator<In<S, Group>, void, undefined>
  /** Every user in a group. */
  members(selection: MemberSelection, options?: ListOptions): AsyncGenerator<Member, void, undefined>
  /** The events of a directory, of all directories of a tenant for a product, or of all directories of a product. */
  events(options: EventSelection & EventOptions): EventReader
}

/**
 * Creates a client that only needs `fetch`: it runs in Node.js, Deno, Bun and browsers.
 *
 * @throws TypeError that says which option is missing
 */
export function createClient(options: ClientOptions): RollcallClient {
  requireOptions(options)
  const { baseUrl, apiKey, fetch = globalThis.fetch } = options
  // The second header asks for the answers of Rollcall where the service answers products of Ory Polis as Polis does.
  const headers = { authorization: `Api-Key ${apiKey}`, accept: 'application/vnd.rollcall+json, application/json' }
  const connection = { baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''), headers, fetch }
  const { LIST, ...calls } = createCalls(connection)
  return {
    ...calls,
    // The service adds the fields of the scope.
    users: <S extends UserSelection>(selection: S, { pageSize, ...shared }: ListOptions = {}) =>
      eachRow(
        (page) => LIST('/users', { params: { query: { ...selection, ...page } }, ...shared }),
        pageSize,
      ) as AsyncGenerator<In<S, User>, void, undefined>,
    groups: <S extends GroupSelection>(selection: S, { pageSize, ...shared }: ListOptions = {}) =>
      eachRow(
        (page) => LIST('/groups', { params: { query: { ...selection, ...page } }, ...shared }),
        pageSize,
      ) as AsyncGenerator<In<S, Group>, void, undefined>,
    members: ({ groupId: id, ...scope }, { pageSize, ...shared } = {}) =>
      eachRow(
        (page) => LIST('/groups/{id}/members', { params: { path: { id }, query: { ...scope, ...page } }, ...shared }),
        pageSize,
      ),
    events: ({ after, follow, pollIntervalMs, signal, onRetry, onDiverged, ...selection }) =>
      readEvents(connection, selection, {
        ...(after === undefined ? {} : { after }),
        ...(follow === undefined ? {} : { follow }),
        ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
        ...(signal === undefined ? {} : { signal }),
        ...(onRetry === undefined ? {} : { onRetry }),
        ...(onDiverged === undefined ? {} : { onDiverged }),
      }),
  }
}

/**
 * Checks the options at run time, because products in JavaScript have no types, and environment variables may be
 * missing.
 */
function requireOptions(options: Partial<ClientOptions> | undefined): void {
  const { baseUrl, apiKey } = options ?? {}
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
    const similar = Object.keys(options ?? {}).find((name) => /url|host|endpoint|address/i.test(name))
    const found =
      similar === undefined || similar === 'baseUrl' ? '' : ` You have set ${similar}: did you mean baseUrl?`
    const given = baseUrl === undefined ? '' : `, not ${JSON.stringify(baseUrl)}`
    throw new TypeError(
      `createClient needs baseUrl, the address of the service, such as https://rollcall.example.com${given}.${found}`,
    )
  }
  if (typeof apiKey === 'string' && apiKey !== '') return
  throw new TypeError(
    'createClient needs apiKey, a key of the directory-sync API: one of API_KEYS, or one that an admin has created.',
  )
}
