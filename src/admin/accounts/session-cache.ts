import type { AdminSession } from './session.ts'

/** How long a header that was verified is good without being verified again, in milliseconds. */
const keepMs = 60_000
/** How long its token's record is good: what another process disables is refused here after this time. */
const rereadMs = 5_000
const maxKept = 1_000

interface Verified {
  readonly session: AdminSession
  readonly goodUntil: number
  readonly readAt: number
}

export interface SessionCacheParts {
  /** The session of a token that is good now. */
  readonly read: (tokenId: string) => Promise<AdminSession | undefined>
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Finds out whose a header is, and until when it is good. */
export type Prove = () => Promise<{ readonly session: AdminSession; readonly expiresAt: number } | undefined>

/** Keeps in memory which headers were verified, by their keyed digest, so that not every request pays for bcrypt. */
export interface SessionCache {
  /** The session of a header; it is proven when it is not kept. What is not proven is not kept. */
  session(digest: string, prove: Prove): Promise<AdminSession | undefined>
  /** Forgets a token's headers. A proof under way is answered, not kept. */
  forget(tokenId: string): void
}

export function createSessionCache({ read, clock }: SessionCacheParts): SessionCache {
  const kept = new Map<string, Verified>()
  /** Requests side by side with the same header share one proof. */
  const underWay = new Map<string, Promise<AdminSession | undefined>>()
  let forgotten = 0

  /** Keeps what was found out, unless a token was forgotten in the meantime. */
  function keep(digest: string, verified: Verified, forgottenBefore: number): void {
    if (forgotten !== forgottenBefore) return
    kept.delete(digest)
    kept.set(digest, verified)
    if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '')
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
      if (underWay.get(digest) === proof) underWay.delete(digest)
    })
    underWay.set(digest, proof)
    return proof
  }

  return {
    async session(digest, prove) {
      const verified = kept.get(digest)
      if (verified === undefined || clock() >= verified.goodUntil) return underWay.get(digest) ?? share(digest, prove)
      return clock() - verified.readAt < rereadMs ? verified.session : reread(digest, verified)
    },
    forget(tokenId) {
      forgotten += 1
      underWay.clear()
      for (const [digest, { session }] of kept) if (session.token.id === tokenId) kept.delete(digest)
    },
  }
}
