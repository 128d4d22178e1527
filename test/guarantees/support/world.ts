import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Client } from '../../support/client.ts'
import type { Engine } from '../../support/database.ts'
import type { ReceivedEvent, Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import { startTestService } from '../../support/service.ts'
import { eventsUntilNow } from './deliveries.ts'
import type { Idp } from './idp.ts'
import { idpOf } from './idp.ts'

/** A directory with its identity provider and the events received at its endpoint. */
export interface Connection {
  readonly directory: DirectoryView
  readonly idp: Idp
  /** See `eventsUntilNow`. */
  events(): Promise<ReceivedEvent[]>
}

/** A service, and a receiver of its events. */
export interface World extends AsyncDisposable {
  readonly client: Client
  readonly receiver: Receiver
  connect(fields?: Readonly<Record<string, unknown>>): Promise<Connection>
}

/** Starts a receiver, and a service on a new database. */
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

/** Opens all connections of the client, so that concurrent requests also arrive concurrently. */
export async function openConnections(client: Client): Promise<void> {
  await Promise.all(Array.from({ length: connections }, () => client.request('GET', '/healthz')))
}

/** Creates a directory that sends its events to a receiver. */
export async function connect(
  client: Client,
  receiver: Receiver,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Connection> {
  const directory = await client.createDirectory({ ...receiver.endpoint, ...fields })
  const idp = idpOf(client, directory)
  return { directory, idp, events: () => eventsUntilNow(receiver, directory.id, idp) }
}
