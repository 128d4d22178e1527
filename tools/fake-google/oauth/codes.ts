import type { Grant } from './tokens.ts'

/** What a code stands for. */
export interface CodeGrant {
  readonly grant: Grant
  readonly redirectUri: string
  /** S256 of the verifier; undefined when the client did not ask for it. */
  readonly challenge: string | undefined
  /** Whether a refresh token comes with it. */
  readonly givesRefresh: boolean
}

/** Codes that are not used yet. Each is good once, for ten minutes. */
export interface Codes {
  give(grant: CodeGrant): string
  find(code: string): CodeGrant | undefined
  use(code: string): void
}

const lifeMs = 600_000

export function createCodes(now: () => number): Codes {
  const codes = new Map<string, { readonly grant: CodeGrant; readonly endsAt: number }>()
  let made = 0
  return {
    give(grant) {
      const code = `4/0A-fake/${++made}`
      codes.set(code, { grant, endsAt: now() + lifeMs })
      return code
    },
    find(code) {
      const held = codes.get(code)
      return held !== undefined && held.endsAt > now() ? held.grant : undefined
    },
    use: (code) => void codes.delete(code),
  }
}
