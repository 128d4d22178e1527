import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Client } from '../../support/client.ts'
import type { Engine } from '../../support/database.ts'
import type { ReceivedEvent, Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import { startTestService } from '../../support/service.ts'
import { eventsUntilNow } from './deliveries.ts'
import type { Idp } from './idp.ts'
import { idpOf } from './idp.ts'

/** A directory with those at both of its ends. */
export interface Connection {
  readonly directory: DirectoryView
  readonly idp: Idp
  /** See `eventsUntilNow`. */
  events(): Promise<ReceivedEvent[]>
}

/** A service and a receiver of its events. */
export interface World extends AsyncDisposable {
  readonly client: Client
  readonly receiver: Receiver
  connect(fields?: Readonly<Record<string, unknown>>): Promise<Connection>
}

/** Starts a service on a new database, and a receiver. */
export async function openWorld(engine: Engine): Promise<World> {
  await using opening = new AsyncDisposableStack()
  const receiver = opening.use(await startReceiver())
  const client = opening.use(await startTestService(engine))
  await openConnections(client)
  const closing = opening.move()
  return {
    client,
    receiver,
    connect: (fields) => connect(client, receiver, fields),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

const connections = 64

/** Opens every connection that the client may have, so that requests sent at once also arrive at once. */
export async function openConnections(client: Client): Promise<void> {
  await Promise.all(Array.from({ length: connections }, () => client.request('GET', '/healthz')))
}

/** Makes a directory that sends its events to a receiver. */
export async function connect(
  client: Client,
  receiver: Receiver,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Connection> {
  const directory = await client.createDirectory({ ...receiver.endpoint, ...fields })
  const idp = idpOf(client, directory)
  return { directory, idp, events: () => eventsUntilNow(receiver, directory.id, idp) }
}
