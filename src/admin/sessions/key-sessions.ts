import { DirectoryError } from '../../directory/errors.ts'
import { DefaultPagingInput, defaultPageLimit } from '../../directory/inputs.ts'
import type { Page } from '../../reads/page.ts'
import { isText, isWhole, pageOf, pageTokens } from '../../reads/page.ts'
import { parseQuery } from '../../reads/paging.ts'
import type { Audit } from '../audit/audit.ts'
import type { ConfiguredKeys } from '../keys/find-key.ts'
import { isoTime } from '../time.ts'
import type { KeySession } from './session-store.ts'
import type { ConsoleSessions, SignedIn } from './sessions.ts'

/** A session of an API key as the console shows it. Times are ISO 8601 in UTC. */
export interface KeySessionView {
  readonly id: string
  readonly key: { readonly id: string; readonly name: string }
  readonly created_at: string
  /** It may be a minute late. */
  readonly last_used_at: string
  /** Whether it is the session that asks. */
  readonly is_current: boolean
}

export interface KeySessionsParts {
  readonly sessions: Pick<ConsoleSessions, 'listOfKeys' | 'get' | 'endByDigest'>
  readonly configured: Pick<ConfiguredKeys, 'named'>
  readonly audit: Audit
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** The sessions that were begun with API keys. Whoever has signed in with a key sees those of the key, an admin sees all. */
export interface KeySessions {
  /**
   * The sessions, newest first.
   *
   * @throws DirectoryError `invalid-input`
   */
  list(query: unknown, signedIn: SignedIn): Promise<Page<KeySessionView>>
  /**
   * Ends a session. Other processes reject it within seconds.
   *
   * @throws DirectoryError `resource-not-found`, also for a session that the caller does not see
   */
  end(id: string, signedIn: SignedIn): Promise<void>
}

const sessionTokens = pageTokens<Pick<KeySession, 'createdAt' | 'digest'>>({ createdAt: isWhole, digest: isText })

export function createKeySessions({ sessions, configured, audit, clock }: KeySessionsParts): KeySessions {
  const nameOf = ({ holder, keyName }: KeySession) =>
    keyName ?? configured.named.find(({ id }) => id === holder.id)?.name

  return {
    async list(query, signedIn) {
      const { pageLimit: limit = defaultPageLimit, pageToken: token } = parseQuery(DefaultPagingInput, query)
      const after = sessionTokens.read(token)
      const found = await sessions.listOfKeys({ keyId: keyOf(signedIn), after, limit: limit + 1 })
      const { rows, pageToken } = pageOf(found, limit, sessionTokens.write)
      // A session without a name is of a key that was deleted, and no longer works.
      const views = rows.flatMap((session) => viewOf(session, nameOf(session), signedIn) ?? [])
      return { rows: views, pageToken }
    },
    async end(id, signedIn) {
      const session = await sessions.get(id)
      const keyId = keyOf(signedIn)
      const isSeen = session?.holder.kind === 'api-key' && (keyId === undefined || keyId === session.holder.id)
      if (!isSeen) throw new DirectoryError('resource-not-found', 'There is no such session.')
      await sessions.endByDigest(id)
      const target = { kind: 'api-key', id: session.holder.id } as const
      await audit.append({ action: 'console.signed_out', caller: signedIn.caller, target, at: clock() })
    },
  }
}

/** The key whose sessions somebody sees; undefined for an admin, who sees those of all keys. */
function keyOf({ admin, caller }: SignedIn): string | undefined {
  return admin === undefined ? (caller.id ?? '') : undefined
}

function viewOf(session: KeySession, name: string | undefined, { sessionId }: SignedIn): KeySessionView | undefined {
  const { digest: id, holder, createdAt, lastUsedAt } = session
  if (name === undefined) return undefined
  return {
    id,
    key: { id: holder.id, name },
    created_at: isoTime(createdAt),
    last_used_at: isoTime(lastUsedAt),
    is_current: id === sessionId,
  }
}
