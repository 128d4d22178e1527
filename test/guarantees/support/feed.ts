import assert from 'node:assert/strict'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Client } from '../../support/client.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'

/** Every event of a directory after a sequence number, read from the feed in pages. */
export async function feedAfter(
  client: Client,
  { id }: Pick<DirectoryView, 'id'>,
  after = 0,
): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = []
  for (;;) {
    const last = events.at(-1)?.sequence ?? after
    const { status, body, text } = await client.api('GET', `/feed?directoryId=${id}&after=${last}&limit=1000`)
    assert.equal(status, 200, text)
    const page = body.data as unknown as ReceivedEvent[]
    if (page.length === 0) return events
    events.push(...page)
  }
}
