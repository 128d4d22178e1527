import type { Client } from './client.ts'
import { poll } from './eventually.ts'

/**
 * Scrapes the metrics until they contain every line. A scrape shows earlier figures, or none, while the
 * database takes long to answer.
 */
export async function waitForMetrics(client: Client, ...lines: readonly RegExp[]): Promise<void> {
  const missing = (text: string) => lines.filter((line) => !line.test(text))
  await poll(
    async () => (await client.request('GET', '/metrics')).text,
    (text) => missing(text).length === 0,
    (text) => `metrics with ${missing(text).join(' and ')}`,
  )
}
