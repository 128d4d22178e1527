import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GooglePage } from '../../../../src/google/client/items.ts'
import { googlePages, maxPagesPerRun } from '../../../../src/google/sync/pages.ts'
import { createTally } from '../../../../src/google/sync/run.ts'
import { failure } from './support/workspace.ts'

type Item = { readonly id: string }

const running = () => ({ signal: new AbortController().signal, tally: createTally() })

function list(pages: Readonly<Record<string, GooglePage<Item>>>) {
  return async (token = 'first') => pages[token] ?? Promise.reject(failure('stale-page'))
}

const page = (ids: readonly string[], nextPageToken?: string): GooglePage<Item> => {
  return { items: ids.map((id) => ({ id })), nextPageToken }
}

/** Reads a list; returns the ids. */
async function read(source: Parameters<typeof googlePages<Item>>[1], context = running()): Promise<string[]> {
  return (await Array.fromAsync(googlePages(context, source))).flat().map(({ id }) => id)
}

test('an empty page with a token does not end a list', async () => {
  assert.deepEqual(await read(list({ first: page(['a'], '2'), 2: page([], '3'), 3: page(['b']) })), ['a', 'b'])
})

test('an unknown page token on the first page is not retried', async () => {
  await assert.rejects(read(list({})), { kind: 'stale-page' })
})

test('a list that is read again after its token has expired may repeat what it had', async () => {
  let isStale = true
  const source = async (token = 'first') => {
    if (token === '3' && isStale) {
      isStale = false
      throw failure('stale-page')
    }
    return list({ first: page(['a'], '2'), 2: page(['b'], '3'), 3: page(['c']) })(token)
  }
  assert.deepEqual(await read(source), ['a', 'b', 'a', 'b', 'c'])
})

test('no page is read after the signal aborts', async () => {
  const stopped = AbortSignal.abort(new Error('stop'))
  await assert.rejects(read(list({ first: page(['a']) }), { ...running(), signal: stopped }), /stop/)
})

for (const { what, source, requests } of [
  { what: 'a page that names itself', source: (_: number) => page(['a'], '2'), requests: 2 },
  {
    what: 'the tokens A, B, A',
    source: (number: number) => page([`${number}`], number % 2 === 1 ? 'A' : 'B'),
    requests: 3,
  },
  { what: 'empty pages with ever new tokens', source: (number: number) => page([], `t${number}`), requests: 101 },
  {
    what: 'the same page with ever new tokens',
    source: (number: number) => page(['a', 'b'], `t${number}`),
    requests: 102,
  },
  {
    what: 'a few pages in turn with ever new tokens',
    source: (number: number) => page([`${number % 7}`], `t${number}`),
    requests: 108,
  },
  {
    what: 'ever new items with ever new tokens',
    source: (number: number) => page([`${number}`], `t${number}`),
    requests: 5_001,
  },
]) {
  test(`a list of ${what} is a failure after ${requests} requests`, async () => {
    let made = 0
    const endless = async () => {
      made += 1
      return source(made)
    }
    await assert.rejects(read(endless), { kind: 'unavailable', message: /not end/ })
    assert.equal(made, requests)
  })
}

test('the pages of all lists of a run are bounded together', async () => {
  const context = running()
  context.tally.count('pages', maxPagesPerRun)
  await assert.rejects(read(list({ first: page(['a'], '2') }), context), { kind: 'unavailable', message: /not end/ })
})
