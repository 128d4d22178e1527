import { createHmac, createSecretKey } from 'node:crypto'
import { fold } from '../scim/fold.ts'
import { toJsonText } from '../scim/json-text.ts'
import type { EventDraft } from './event.ts'
import type { IndexedUser, User } from './user.ts'
import { userViewText } from './user.ts'

const dayMs = 24 * 3_600_000

/** Keyed digests of the names of a user: nothing else is kept of the names of a deleted one. */
export interface NameDigests {
  readonly userName: string
  readonly externalId: string | undefined
}

/** Finds the deletion of a user who is created again. */
export interface Recognition {
  /** The digests of the user's names. */
  readonly digests: () => NameDigests
  /** Earlier deletions are forgotten; Unix milliseconds. */
  readonly since: number
}

/** A user who is recognized after its deletion; without a recognition it is not. */
export type Recognizable<U> = U & { readonly recognition?: Recognition | undefined }

/** Makes the recognition of a user of a directory who is created or deleted at a time. */
export type Recognize = (directoryId: string, user: Pick<User, 'userName' | 'externalId'>, at: number) => Recognition

/**
 * Recognizes users by keyed digests of their names.
 *
 * @param key the same in every process; it remains when the encryption key is rotated
 * @param windowDays the number of days after its deletion for which a user is recognized; 0: never
 */
export function createRecognize(key: string, windowDays: number): Recognize | undefined {
  if (windowDays === 0) return undefined
  const secret = createSecretKey(Buffer.from(key, 'base64url'))
  const digest = (...named: readonly string[]) =>
    createHmac('sha256', secret).update(JSON.stringify(named)).digest('base64url')
  return (directoryId, { userName, externalId = '' }, at) => ({
    digests: () => ({
      userName: digest('deleted-user', directoryId, 'userName', fold(userName)),
      externalId: externalId === '' ? undefined : digest('deleted-user', directoryId, 'externalId', externalId),
    }),
    since: at - windowDays * dayMs,
  })
}

/** A user who was deleted. */
export interface DeletedUser {
  readonly id: string
  /** Unix milliseconds. */
  readonly deletedAt: number
  /** The account that it was linked to. */
  readonly accountId: string | undefined
  /** Whether another user is linked to this account now. */
  readonly isAccountTaken: boolean
}

/** The user, and the event about its creation, after it was found to have been deleted before. It has its account back unless that is taken. */
export function returnedFrom<U extends IndexedUser, E extends EventDraft>(
  user: U,
  event: E,
  { id, deletedAt, accountId, isAccountTaken }: DeletedUser,
): { readonly user: U; readonly event: E } {
  const former = { id, deleted_at: new Date(deletedAt).toISOString(), ...(accountId && { account_id: accountId }) }
  const returned = {
    ...{ ...user, returnedFrom: toJsonText(former) },
    ...(accountId === undefined || isAccountTaken ? {} : { accountId }),
  }
  return { user: returned, event: { ...event, data: userViewText(returned) } }
}
