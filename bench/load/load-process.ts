import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Call } from './call.ts'
import { withConnections } from './connection.ts'
import { drive } from './drive.ts'

/** Calls that are made concurrently. */
export interface Load {
  readonly calls: readonly Call[]
  /**
   * The number of connections over which each call is made without reading the responses; undefined: over one, reading
   * them.
   */
  readonly unreadOver?: number
  /** Each of these connections is closed after this time, in milliseconds, before the next one is opened. */
  readonly hangUpAfterMs?: number
}

/** A process that makes calls, because reading long responses in the measuring process would delay the others. */
export interface LoadProcess extends AsyncDisposable {
  /** Transfers the calls of a load, which takes the measuring process a while when they are long. */
  prepare(load: Load): Promise<void>
  /**
   * Makes the calls of the prepared load.
   *
   * @throws Error for an unexpected response
   */
  make(): Promise<void>
}

/** A load to prepare; `make` makes the prepared one. */
type Task = { readonly port: number; readonly load: Load } | 'make'

/** The report of a process after its start and after each task, with an error if any. */
interface Report {
  readonly problem?: string
}

/** Time for which responses stay unread, in milliseconds. */
const unreadMs = 3_000

/** Starts a process that makes calls to the server at a port. */
export async function startLoadProcess(port: number): Promise<LoadProcess> {
  const child = fork(fileURLToPath(import.meta.url), { serialization: 'advanced' })
  const ended = once(child, 'exit')
  const failed = ended.then(() => {
    throw new Error('the process that makes the calls has ended')
  })
  failed.catch(() => {})
  const report = async (): Promise<Report> => (await Promise.race([once(child, 'message'), failed]))[0]
  const perform = async (task: Task) => {
    child.send(task)
    const { problem } = await report()
    if (problem !== undefined) throw new Error(problem)
  }
  await report()
  return {
    prepare: ({ calls, unreadOver, hangUpAfterMs }) =>
      perform({
        port,
        load: {
          calls,
          ...(unreadOver === undefined ? {} : { unreadOver }),
          ...(hangUpAfterMs === undefined ? {} : { hangUpAfterMs }),
        },
      }),
    make: () => perform('make'),
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}

async function makeLoad(port: number, { calls, unreadOver, hangUpAfterMs }: Load): Promise<void> {
  if (unreadOver === undefined) await withConnections(port, calls.length, (connections) => drive(connections, calls))
  else for (const { bytes } of calls) await leaveUnread(port, bytes, unreadOver, hangUpAfterMs)
}

/** Makes a call over many connections, one after the other, and reads none of the responses. */
async function leaveUnread(
  port: number,
  request: Uint8Array,
  connections: number,
  hangUpAfterMs: number | undefined,
): Promise<void> {
  const sockets: Socket[] = []
  for (let n = 0; n < connections; n += 1) {
    const socket = connect({ host: '127.0.0.1', port })
    sockets.push(socket.on('error', () => {}).pause())
    await once(socket, 'connect')
    socket.write(request)
    if (hangUpAfterMs === undefined) continue
    await pause(hangUpAfterMs)
    socket.destroy()
  }
  await pause(unreadMs)
  for (const socket of sockets) socket.destroy()
}

if (import.meta.main) {
  let makePrepared = async () => {}
  const send = (report: Report) => process.send?.(report)
  process.on('message', (task: Task) => {
    if (task === 'make') {
      makePrepared().then(
        () => send({}),
        (error: Error) => send({ problem: error.message }),
      )
    } else {
      makePrepared = () => makeLoad(task.port, task.load)
      send({})
    }
  })
  send({})
}
