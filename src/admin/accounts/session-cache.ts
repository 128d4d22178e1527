import { createBoundedMap } from '../../concurrency/bounded-map.ts'
import type { AdminSession } from './session.ts'

/** Time for which a verified header is accepted without verifying it again, in milliseconds. */
const keepMs = 60_000
/**
 * Lifetime of a token's record, in milliseconds: a token disabled by another process is rejected here after this time.
 */
const rereadMs = 5_000
const maxKept = 1_000

interface Verified {
  readonly session: AdminSession
  readonly goodUntil: number
  readonly readAt: number
}

export interface SessionCacheParts {
  /** The session of a token; undefined when the token is not valid. */
  readonly read: (tokenId: string) => Promise<AdminSession | undefined>
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Verifies a header; undefined when it is not valid. */
export type Prove = () => Promise<{ readonly session: AdminSession; readonly expiresAt: number } | undefined>

/** Caches verified headers by their keyed digest, because verifying one takes a bcrypt comparison. */
export interface SessionCache {
  /** The session of a header, verified by `prove` unless it is cached. Failures are not cached. */
  find(digest: string, prove: Prove): Promise<AdminSession | undefined>
  /** Drops the headers of a token. The result of a verification in progress is returned but not cached. */
  forget(tokenId: string): void
}

export function createSessionCache({ read, clock }: SessionCacheParts): SessionCache {
  const kept = createBoundedMap<Verified>(maxKept)
  /** Concurrent requests with the same header share one verification. */
  const inProgress = new Map<string, Promise<AdminSession | undefined>>()
  let forgotten = 0

  /** Caches a result unless a token was dropped in the meantime. */
  function keep(digest: string, verified: Verified, forgottenBefore: number): void {
    if (forgotten === forgottenBefore) kept.set(digest, verified)
  }

  async function reread(digest: string, verified: Verified): Promise<AdminSession | undefined> {
    const [readAt, before] = [clock(), forgotten]
    const session = await read(verified.session.token.id)
    if (session === undefined) kept.delete(digest)
    else keep(digest, { ...verified, session, readAt }, before)
    return session
  }

  async function proven(digest: string, prove: Prove): Promise<AdminSession | undefined> {
    const [readAt, before] = [clock(), forgotten]
    const proof = await prove()
    if (proof === undefined) return undefined
    const goodUntil = Math.min(readAt + keepMs, proof.expiresAt)
    keep(digest, { session: proof.session, goodUntil, readAt }, before)
    return proof.session
  }

  function share(digest: string, prove: Prove): Promise<AdminSession | undefined> {
    const proof = proven(digest, prove).finally(() => {
      if (inProgress.get(digest) === proof) inProgress.delete(digest)
    })
    inProgress.set(digest, proof)
    return proof
  }

  return {
    async find(digest, prove) {
      const verified = kept.get(digest)
      if (verified === undefined || clock() >= verified.goodUntil) return inProgress.get(digest) ?? share(digest, prove)
      return clock() - verified.readAt < rereadMs ? verified.session : reread(digest, verified)
    },
    forget(tokenId) {
      forgotten += 1
      inProgress.clear()
      for (const [digest, { session }] of kept) if (session.token.id === tokenId) kept.delete(digest)
    },
  }
}
