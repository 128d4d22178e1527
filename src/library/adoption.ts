import { batchSize } from '../adoption/sent-accounts.ts'
import type { LibraryParts, OneDirectory, PageQuery } from './parts.ts'
import { caller } from './parts.ts'
import { resultOf } from './result.ts'

/** The adoption of the accounts that the product has. Fields have the API's names. */
export function adoptionCalls({ adoptions }: LibraryParts) {
  return {
    /** Stores the accounts in place of those that were sent before. */
    send: ({ directoryId, accounts }: OneDirectory & { readonly accounts: Iterable<object> | AsyncIterable<object> }) =>
      resultOf(() => adoptions.send(directoryId, inBatches(accounts))),
    /** A page of the plan for the present state. */
    plan: ({ directoryId, ...query }: OneDirectory & Omit<PageQuery, 'pageOffset'> & { readonly kind?: string }) =>
      resultOf(async () => {
        const { plan, pageToken } = await adoptions.plan(directoryId, query)
        return { ...plan, ...(pageToken === undefined ? {} : { pageToken }) }
      }),
    /** Begins to apply the plan of a version. */
    apply: ({ directoryId, ...body }: OneDirectory & { readonly version: string }) =>
      resultOf(() => adoptions.apply(directoryId, body, caller)),
    forget: ({ directoryId }: OneDirectory) => resultOf(() => adoptions.forget(directoryId).then(() => ({}))),
  }
}

async function* inBatches(accounts: Iterable<object> | AsyncIterable<object>): AsyncGenerator<object[]> {
  let batch: object[] = []
  for await (const account of accounts) {
    if (batch.push(account) < batchSize) continue
    yield batch
    batch = []
  }
  yield batch
}
