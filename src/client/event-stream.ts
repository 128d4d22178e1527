/** A message of a stream of server-sent events. */
export interface StreamMessage {
  /** Empty when the stream has not set one yet. */
  readonly id: string
  readonly data: string
}

export interface StreamOptions {
  /** Called with the delay before the next connection, in milliseconds. */
  readonly onRetry: (delayMs: number) => void
  /** Wraps every wait for data, including comments that keep the connection alive. */
  readonly during: <T>(wait: Promise<T>) => Promise<T>
}

/**
 * Reads server-sent events (WHATWG HTML §9.2) until the connection ends for any reason; the reader then connects again
 * after the last id.
 */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  { onRetry, during }: StreamOptions,
): AsyncGenerator<StreamMessage, void, undefined> {
  let id = ''
  let data: string[] = []
  for await (const line of linesOf(body, during)) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?/s.exec(line) ?? []
    if (line === '') {
      if (data.length > 0) yield { id, data: data.join('\n') }
      data = []
    } else if (name === 'data') data.push(value)
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) onRetry(Number(value))
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>, during: StreamOptions['during']) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const chunk = await during(reader.read()).catch(() => undefined)
      if (chunk === undefined || chunk.done) return
      const lines = (rest + decoder.decode(chunk.value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
