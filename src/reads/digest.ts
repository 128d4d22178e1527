import { hash } from 'node:crypto'
import type { ComparedField, ComparedText } from '../client/user-digest.ts'
import { comparedFields, createBucketDigests } from '../client/user-digest.ts'
import { createFairSemaphore } from '../concurrency/fair-semaphore.ts'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { ComparedUser, DirectoryReads } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import { bucketsField } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { namedDirectory } from './directory-walk.ts'
import { parseQuery } from './paging.ts'

const rule = `fields: one or more of ${comparedFields.join(', ')}, separated by commas, each once.`
const oneField = `(${comparedFields.join('|')})`

/** `GET /:id/digest` */
export const DigestInput = Type.Object({
  buckets: Type.Optional(bucketsField),
  fields: Type.String({ description: rule, pattern: `^${oneField}(,${oneField})*$`, examples: ['active,email'] }),
})

/** The maximum number of digests that are made at a time: on PostgreSQL, each occupies a connection. */
const digestsAtOnce = 2

const textOf: Readonly<Record<ComparedField, (user: ComparedUser) => ComparedText>> = {
  active: ({ active }) => String(active),
  email: ({ email }) => email,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
  account_id: ({ accountId }) => accountId ?? null,
  roles: ({ mapped }) => (mapped === undefined ? null : fromJsonText(mapped).roles.join()),
}

/** Creates the read of digests, by which a product finds out where its users differ. */
export function createDigestReads({ store, slices }: { store: DirectoryReads; slices: TimeSlices }) {
  const places = createFairSemaphore(digestsAtOnce)
  return {
    /**
     * The digests of the users of a directory, all at one sequence.
     *
     * @param signal aborts when nobody waits for them any more
     * @throws DirectoryError `invalid-input`, `directory-not-found`; the reason of the signal
     */
    async digest(directoryId: string, query: unknown, signal?: AbortSignal) {
      const { buckets = 256, fields } = parseQuery(DigestInput, query)
      const names = fields.split(',') as ComparedField[]
      if (new Set(names).size < names.length)
        throw new DirectoryError('invalid-input', rule, [{ field: 'fields', message: rule }])
      const { tenant } = await namedDirectory(store, { directoryId })
      const leave = await places.acquire(tenant, signal)
      try {
        const digest = await store.readSnapshot(directoryId, async (sequence, parts) => {
          const digests = createBucketDigests(buckets, sha256)
          for await (const users of parts) {
            await slices.next(tenant)
            signal?.throwIfAborted()
            for (const user of users) {
              const texts = names.map((name) => textOf[name](user))
              digests.add(user.id, texts)
            }
          }
          return { sequence, users: digests.users(), buckets: digests.list() }
        })
        if (digest !== undefined) return digest
        throw new DirectoryError('directory-not-found', 'There is no such directory.')
      } finally {
        leave()
      }
    },
  }
}

/** SHA-256, faster than that of the client. */
export function sha256(message: Uint8Array): Uint8Array {
  return hash('sha256', message, 'buffer')
}
