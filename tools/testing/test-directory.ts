import { createRollcall } from '../../src/app/embedded.ts'
import type { DirectoryView } from '../../src/directory/directory-view.ts'
import { isObject } from '../../src/scim/json.ts'
import type { RollcallEvent } from '../../src/webhooks/event.ts'
import type { DialectName } from '../simulate/dialects.ts'
import { dialects, isDialectName, unknownDialect } from '../simulate/dialects.ts'
import type { Send } from '../simulate/scim-call.ts'
import { CallFailed } from '../simulate/scim-call.ts'
import type { IdentityProvider } from './identity-provider.ts'
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

/** A directory in memory, with Rollcall itself behind it. */
export interface TestDirectory extends AsyncDisposable {
  /** The library, to read what the directory holds or to change the directory. */
  readonly rollcall: Awaited<ReturnType<typeof createRollcall>>
  readonly directory: DirectoryView
  /** Every event since the last connection, including those of some providers' connection test. */
  readonly events: readonly RollcallEvent[]
  /** Connects an identity provider, which tests the connection. */
  connect(provider: ProviderName): Promise<IdentityProvider>
  /** Sends the whole content of the directory as events, between `sync.started` and `sync.completed`. */
  resync(): Promise<void>
  close(): Promise<void>
}

/** Creates a directory for the tests of a product, without network and files. */
export async function createTestDirectory(options: TestDirectoryOptions = {}): Promise<TestDirectory> {
  const { tenant = 'acme', product = 'product' } = options
  const rollcall = await createRollcall({ databaseUrl: 'sqlite::memory:', externalUrl: 'https://rollcall.test' })
  const created = await rollcall.directories.create({ tenant, product })
  if (created.error !== null) throw new Error(created.error.message)
  const directory = created.data
  const events: RollcallEvent[] = []
  const readEvents = eventReader(rollcall, directory, events, options)
  const send = sender(rollcall, directory, readEvents)
  const close = () => rollcall.close()
  return {
    rollcall,
    directory,
    events,
    async connect(provider) {
      if (!isDialectName(provider)) throw new TypeError(unknownDialect(provider))
      const dialect = dialects[provider]
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

/** Sends SCIM requests to the library, and waits for their events. */
function sender(
  { requests }: Library,
  { id: directoryId, scim }: DirectoryView,
  readEvents: () => Promise<void>,
): Send {
  return async ({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, 'https://rollcall.test')
    const [, resourceType = '', resourceId] = pathname.split('/').map(decodeURIComponent)
    const query = Object.fromEntries(searchParams)
    const request = { method, body, directoryId, resourceType, resourceId, apiSecret: scim.secret, query }
    const { status, data } = await requests.handle(request)
    await readEvents()
    const response = isObject(data) ? data : {}
    if (status < 300) return { status, body: response }
    throw new CallFailed(`${method} ${path} failed with ${status}: ${String(response['detail'] ?? '')}`, { status })
  }
}
