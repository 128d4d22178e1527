import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, get } from 'node:http'
import { hangTimeoutMs } from './eventually.ts'

/** A server-sent event, with its data parsed. */
export interface StreamedEvent {
  readonly id: string
  readonly event: string
  readonly data: { readonly sequence: number; readonly directory_id: string; readonly event: string }
}

/** A reader of server-sent events. */
export interface EventStream extends AsyncDisposable {
  readonly response: IncomingMessage
  readonly events: readonly StreamedEvent[]
  /** Non-empty lines that do not belong to an event. */
  readonly others: readonly string[]
  /** Waits for the first `count` events. */
  first(count: number): Promise<readonly StreamedEvent[]>
  /** Waits for a line. */
  line(isIt: (line: string) => boolean): Promise<void>
  /** Waits for the service to end the stream. */
  ended(): Promise<void>
  /** Stops reading from the connection until `resume`. */
  pause(): void
  resume(): void
}

/** Connects and waits for the response headers. With `isPaused` nothing is read before `resume`. */
export async function openEventStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  isPaused = false,
): Promise<EventStream> {
  const agent = new Agent()
  const request = get(url, { agent, headers: { accept: 'text/event-stream', ...headers } })
  const [response]: IncomingMessage[] = await once(request, 'response')
  if (response === undefined) throw new Error('there is no response')
  const [events, others]: [StreamedEvent[], string[]] = [[], []]
  const watchers = new Set<() => void>()
  const ended = Promise.withResolvers<void>()
  let text = ''

  response.setEncoding('utf8')
  response.on('error', () => ended.resolve())
  response.on('close', () => ended.resolve())
  const read = () => {
    response.on('data', (chunk: string) => {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) take(block)
      for (const watch of watchers) watch()
    })
  }
  if (!isPaused) read()

  function take(block: string): void {
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)))
    const { id, event, data } = fields
    if (id === undefined || event === undefined || data === undefined) others.push(...block.split('\n'))
    else events.push({ id, event, data: JSON.parse(data) })
  }
  function until(isThere: () => boolean, what: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const watch = () => {
      if (isThere()) resolve()
    }
    const timer = setTimeout(() => reject(new Error(`waited for ${what}: ${events.length} events`)), hangTimeoutMs)
    watchers.add(watch)
    watch()
    return promise.finally(() => {
      clearTimeout(timer)
      watchers.delete(watch)
    })
  }
  return {
    response,
    events,
    others,
    async first(count) {
      await until(() => events.length >= count, `${count} events`)
      return events.slice(0, count)
    },
    line: (isIt) => until(() => others.some(isIt), 'a line'),
    ended: () => ended.promise,
    pause: () => response.pause(),
    resume() {
      if (isPaused && response.listenerCount('data') === 0) read()
      response.resume()
    },
    async [Symbol.asyncDispose]() {
      response.destroy()
      agent.destroy()
    },
  }
}
