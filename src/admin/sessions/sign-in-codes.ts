import { hash } from 'node:crypto'
import { createBoundedMap } from '../../concurrency/bounded-map.ts'
import { newSecret } from '../../directory/secret.ts'

const validMs = 10 * 60_000
/** The maximum number of codes that are valid at a time; the oldest is dropped first. */
const maxCodes = 10

/** Codes that sign in once, within ten minutes. They are in the memory of this process only. */
export interface SignInCodes {
  create(): string
  /** Uses up a code. Returns whether it was valid. */
  spend(code: string): boolean
}

/** @param clock Unix milliseconds */
export function createSignInCodes(clock: () => number): SignInCodes {
  const expiries = createBoundedMap<number>(maxCodes)
  return {
    create() {
      const code = newSecret()
      expiries.set(digestOf(code), clock() + validMs)
      return code
    },
    spend(code) {
      const digest = digestOf(code)
      const expiresAt = expiries.get(digest)
      expiries.delete(digest)
      return expiresAt !== undefined && clock() < expiresAt
    },
  }
}

/** Codes are looked up by their hash, so that the time of the lookup reveals nothing about a code. */
function digestOf(code: string): string {
  return hash('sha256', code, 'hex')
}
