import assert from 'node:assert/strict'
import type { Answer } from '../../../support/client.ts'
import type { Provider } from '../requirement.ts'

/** The parameters of a query; an empty `cursor` requests the first page. */
export type Parameters = Readonly<Record<string, string>>

/** The userNames of `createUsers`, in alphabetical order. */
export const userNames: readonly string[] = ['ann', 'bob', 'cid', 'dora', 'eve']

/** Creates five users, not in alphabetical order. */
export async function createUsers(provider: Provider): Promise<void> {
  for (const userName of ['cid', 'ann', 'eve', 'bob', 'dora']) {
    const { status, text } = await provider.send('POST', '/Users', { userName, title: userName.toUpperCase() })
    assert.equal(status, 201, text)
  }
}

/** Requests one page of the users, or of the resources at another path. */
export function requestPage(provider: Provider, parameters: Parameters, path = '/Users'): Promise<Answer> {
  return provider.send('GET', `${path}?${new URLSearchParams(parameters)}`)
}

/** The same, and expects status 200. */
export async function readPage(provider: Provider, parameters: Parameters, path = '/Users'): Promise<Answer> {
  const page = await requestPage(provider, parameters, path)
  assert.equal(page.status, 200, page.text)
  return page
}

/** Reads a query page by page, from the first to the one without `nextCursor`. */
export async function readPages(provider: Provider, parameters: Parameters, path = '/Users'): Promise<Answer[]> {
  const pages: Answer[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; cursor = nextCursorOf(pages.at(-1))) {
    assert(pages.length < 20, 'the pages come to an end')
    pages.push(await readPage(provider, { ...parameters, cursor }, path))
  }
  return pages
}

/** The cursor of the page after the first one of a query. */
export async function secondCursor(provider: Provider, parameters: Parameters, path = '/Users'): Promise<string> {
  const cursor = nextCursorOf(await readPage(provider, { ...parameters, cursor: '' }, path))
  assert(cursor !== undefined, 'there is a second page')
  return cursor
}

/** The cursor of the next page; undefined on the last page. */
export function nextCursorOf(page: Answer | undefined): string | undefined {
  return (page?.body as { readonly nextCursor?: string } | undefined)?.nextCursor
}

/** The userNames on the pages, in order. */
export function userNamesOn(...pages: readonly Answer[]): string[] {
  return pages.flatMap(({ body }) => body.Resources.map(({ userName }) => userName))
}
