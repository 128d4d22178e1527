import { createRollcall } from '../../src/app/embedded.ts'
import type { IdentityProvider } from '../../src/client/testing.ts'
import type { DirectoryView } from '../../src/directory/directory-view.ts'
import { newSecret } from '../../src/directory/secret.ts'
import { isObject, own } from '../../src/scim/json.ts'
import type { RollcallEvent } from '../../src/webhooks/event.ts'
import type { DialectName } from '../simulate/dialects.ts'
import { dialects, isDialectName, unknownDialect } from '../simulate/dialects.ts'
import type { Send } from '../simulate/scim-call.ts'
import { CallFailed } from '../simulate/scim-call.ts'
import type { AccessToken, SignInCalls, SignInMethod } from '../simulate/sign-in.ts'
import { createSimulatedClient, tokenPath } from '../simulate/sign-in.ts'
import { createIdentityProvider } from './identity-provider.ts'

/** The providers that can be simulated. */
export type ProviderName = DialectName

export interface TestDirectoryOptions {
  /** Default: `acme`. */
  readonly tenant?: string | undefined
  /** Default: `product`. */
  readonly product?: string | undefined
  /** The product's handler: awaited for each event, in order, before the call that caused it resolves. */
  readonly onEvent?: ((event: RollcallEvent) => Promise<void> | void) | undefined
}

export interface ConnectOptions {
  /**
   * How the provider signs in. `token` (the default): with the SCIM secret. `secret`: with a new OAuth client that has a
   * secret. `federation`, for `entra` and `entra-flag`: with assertions of a fake Entra tenant, on a local port.
   */
  readonly auth?: SignInMethod | undefined
}

/** A directory in memory, with Rollcall itself behind it. */
export interface TestDirectory extends AsyncDisposable {
  /** The library, to read what the directory holds or to change the directory. */
  readonly rollcall: Awaited<ReturnType<typeof createRollcall>>
  readonly directory: DirectoryView
  /** Every event since the last connection, including those of some providers' connection test. */
  readonly events: readonly RollcallEvent[]
  /** Connects an identity provider, which tests the connection. */
  connect(provider: ProviderName, options?: ConnectOptions): Promise<IdentityProvider>
  /** Sends the whole content of the directory as events, between `sync.started` and `sync.completed`. */
  resync(): Promise<void>
  /** Deactivates the directory, or activates it again, with an event. */
  setDeactivated(deactivated: boolean): Promise<void>
  /** Deletes the directory. `directory.deleted` is its last event. */
  delete(): Promise<void>
  close(): Promise<void>
}

const externalUrl = 'https://rollcall.test'

/** Creates a directory for the tests of a product, without network and files. */
export async function createTestDirectory(options: TestDirectoryOptions = {}): Promise<TestDirectory> {
  const { tenant = 'acme', product = 'product' } = options
  const apiKey = newSecret()
  const rollcall = await createRollcall({
    ...{ databaseUrl: 'sqlite::memory:', externalUrl, apiKeys: [apiKey] },
    // A fake Entra tenant is on this machine.
    webhook: { allowPrivate: ['127.0.0.1'] },
  })
  const created = await rollcall.directories.create({ tenant, product })
  if (created.error !== null) throw new Error(created.error.message)
  const directory = created.data
  const events: RollcallEvent[] = []
  const readEvents = eventReader(rollcall, directory, events, options)
  await using opening = new AsyncDisposableStack()
  opening.defer(() => rollcall.close())
  const calls = callsOf(rollcall, directory, apiKey)
  const open = opening.move()
  /** An OAuth client that exists as long as the directory. */
  const openClient = async (auth: Exclude<SignInMethod, 'token'>) =>
    open.use(await createSimulatedClient(calls, auth)).accessToken
  const close = () => open.disposeAsync()
  return {
    rollcall,
    directory,
    events,
    async connect(provider, { auth = 'token' } = {}) {
      if (!isDialectName(provider)) throw new TypeError(unknownDialect(provider))
      const dialect = dialects[provider]
      const credential = auth === 'token' ? directory.scim.secret : await openClient(auth)
      const send = sender(rollcall, directory, credential, readEvents)
      await dialect.connect(send, 1)
      events.length = 0
      return createIdentityProvider(dialect, send)
    },
    async resync() {
      const countBefore = events.length
      await rollcall.directories.resync({ id: directory.id })
      const isComplete = () => events.slice(countBefore).some(({ event }) => event === 'sync.completed')
      for (await readEvents(); !isComplete(); await readEvents()) await new Promise(setImmediate)
    },
    async setDeactivated(deactivated) {
      const change = { id: directory.id, deactivated }
      await rollcall.directories.update(change)
      await readEvents()
    },
    async delete() {
      await rollcall.directories.delete({ id: directory.id })
      await readEvents()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

type Library = TestDirectory['rollcall']

/** Reads new events, and passes them on. */
function eventReader(
  { events: { feed } }: Library,
  { id: directoryId }: DirectoryView,
  events: RollcallEvent[],
  { onEvent }: TestDirectoryOptions,
): () => Promise<void> {
  let after = 0
  return async () => {
    for (;;) {
      const { data, error } = await feed({ directoryId, after })
      if (error !== null) throw new Error(error.message)
      if (data.length === 0) return
      for (const event of data) {
        after = event.sequence
        events.push(event)
        await onEvent?.(event)
      }
    }
  }
}

/** The calls that signing in needs, to the routes of the library. */
function callsOf({ fetch }: Library, { id }: DirectoryView, apiKey: string): SignInCalls {
  const send = async (method: string, path: string, headers: Readonly<Record<string, string>>, sent?: string) => {
    const init = sent === undefined ? {} : { body: sent }
    const response = await fetch(new Request(externalUrl + path, { method, headers, ...init }))
    const body: unknown = await response.json().catch(() => ({}))
    return { status: response.status, body }
  }
  const path = `/api/v1/directory-sync/${id}/oauth-clients`
  const authorization = `Api-Key ${apiKey}`
  return {
    async createClient(fields) {
      const headers = { authorization, 'content-type': 'application/json' }
      const { status, body } = await send('POST', path, headers, JSON.stringify(fields))
      if (status !== 201) throw new CallFailed(`no OAuth client was created: ${JSON.stringify(body)}`, { status })
      return isObject(body) ? own(body, 'data') : undefined
    },
    deleteClient: (clientId) => send('DELETE', `${path}/${clientId}`, { authorization }),
    requestToken: (headers, form) => send('POST', tokenPath, headers, form),
  }
}

/** Sends SCIM requests to the library, and waits for their events. */
function sender(
  { requests }: Library,
  { id: directoryId }: DirectoryView,
  credential: string | AccessToken,
  readEvents: () => Promise<void>,
): Send {
  return async ({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, 'https://rollcall.test')
    const [, resourceType = '', resourceId] = pathname.split('/').map(decodeURIComponent)
    const query = Object.fromEntries(searchParams)
    const apiSecret = typeof credential === 'string' ? credential : await credential()
    const request = { method, body, directoryId, resourceType, resourceId, apiSecret, query }
    const { status, data } = await requests.handle(request)
    await readEvents()
    const response = isObject(data) ? data : {}
    if (status < 300) return { status, body: response }
    throw new CallFailed(`${method} ${path} failed with ${status}: ${String(response['detail'] ?? '')}`, { status })
  }
}
