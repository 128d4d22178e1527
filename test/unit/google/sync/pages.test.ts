import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GooglePage } from '../../../../src/google/client/items.ts'
import { googlePages } from '../../../../src/google/sync/pages.ts'
import { failure } from './support/workspace.ts'

const never = new AbortController().signal

function list(pages: Readonly<Record<string, GooglePage<string>>>) {
  return async (token = 'first') => pages[token] ?? Promise.reject(failure('stale-page'))
}

const page = (items: readonly string[], nextPageToken?: string): GooglePage<string> => ({ items, nextPageToken })

test('an empty page with a token does not end a list', async () => {
  const pages = googlePages(list({ first: page(['a'], '2'), 2: page([], '3'), 3: page(['b']) }), never)
  assert.deepEqual((await Array.fromAsync(pages)).flat(), ['a', 'b'])
})

test('a page that names itself as the next one is a failure', async () => {
  const pages = googlePages(list({ first: page(['a'], '2'), 2: page(['b'], '2') }), never)
  await assert.rejects(Array.fromAsync(pages), { kind: 'unavailable' })
})

test('an unknown page token on the first page is not retried', async () => {
  await assert.rejects(Array.fromAsync(googlePages(list({}), never)), { kind: 'stale-page' })
})

test('no page is read after the signal aborts', async () => {
  const stopped = AbortSignal.abort(new Error('stop'))
  await assert.rejects(Array.fromAsync(googlePages(list({ first: page(['a']) }), stopped)), /stop/)
})

test('an endless sequence of empty pages is a failure', async () => {
  const endless = async (token = '0') => page([], String(Number(token) + 1))
  await assert.rejects(Array.fromAsync(googlePages(endless, never)), { kind: 'unavailable' })
})
