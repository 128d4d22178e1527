import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitForDatabase } from '../../../src/app/wait-for-database.ts'
import { StoreUnavailable } from '../../../src/store/errors.ts'

/** Opens at the given attempt; the earlier ones fail. */
function opener(succeedsAt: number, error: Error = new StoreUnavailable('The database is not available: it starts')) {
  const attempts = { count: 0 }
  async function open(): Promise<string> {
    attempts.count += 1
    if (attempts.count < succeedsAt) throw error
    return 'opened'
  }
  return { attempts, open }
}

function someLog() {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  return { lines, info: write, warn: write }
}

test('waits for a database that becomes available, and says so once, and again when it is there', async () => {
  const log = someLog()
  const { open, attempts } = opener(3)
  assert.equal(await waitForDatabase(open, { log, patienceMs: 60_000 }), 'opened')
  assert.equal(attempts.count, 3)
  const [waits, isThere, ...others] = log.lines
  assert.equal(waits, 'The database is not available: it starts; waiting for it, for 60 s at most')
  assert.match(isThere ?? '', /^The database is available, after \d+ s$/)
  assert.deepEqual(others, [])
})

test('gives up after the time to wait, with the last reason', async () => {
  const { open } = opener(Number.POSITIVE_INFINITY)
  await assert.rejects(waitForDatabase(open, { log: someLog(), patienceMs: 0 }), StoreUnavailable)
})

test('gives up when it is stopped', async () => {
  const { open, attempts } = opener(Number.POSITIVE_INFINITY)
  await assert.rejects(waitForDatabase(open, { log: someLog(), signal: AbortSignal.abort() }), StoreUnavailable)
  assert.equal(attempts.count, 1)
})

for (const { what, error } of [
  { what: 'an error that is not about the database', error: new Error('the port is in use') },
  {
    what: 'a wrong password',
    error: new StoreUnavailable('refused', { cause: Object.assign(new Error('password'), { code: '28P01' }) }),
  },
  {
    what: 'a database that does not exist',
    error: new StoreUnavailable('refused', { cause: Object.assign(new Error('database'), { code: '3D000' }) }),
  },
]) {
  test(`does not wait after ${what}`, async () => {
    const { open, attempts } = opener(Number.POSITIVE_INFINITY, error)
    await assert.rejects(waitForDatabase(open, { log: someLog() }), error)
    assert.equal(attempts.count, 1)
  })
}
