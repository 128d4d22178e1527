import { hash } from 'node:crypto'
import type { ServiceAccount } from '../../directory/directory.ts'
import type { GoogleOAuth } from '../client/token-set.ts'
import { renewBeforeMs } from './current-token.ts'

interface Kept {
  /** Of the account that the token is for. */
  readonly digest: string
  readonly token: string
  readonly expiresAt: number
}

const maxKept = 1_000

/** The tokens of service accounts, by directory: they are in memory only, until shortly before their end. */
export function createImpersonatedTokens(oauth: Pick<GoogleOAuth, 'impersonate'>, clock: () => number) {
  const kept = new Map<string, Kept>()

  /** A token that is not the refused one, in memory; undefined when there is none. */
  function find(directoryId: string, account: ServiceAccount, refused: string | undefined): string | undefined {
    const found = kept.get(directoryId)
    if (found === undefined || found.digest !== digestOf(account) || found.token === refused) return undefined
    return found.expiresAt - renewBeforeMs > clock() ? found.token : undefined
  }

  return {
    find,
    async renew(directoryId: string, account: ServiceAccount): Promise<string> {
      const { access_token: token, expiry_date: expiresAt } = await oauth.impersonate(account)
      kept.delete(directoryId)
      kept.set(directoryId, { digest: digestOf(account), token, expiresAt })
      if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '')
      return token
    },
  }
}

function digestOf(account: ServiceAccount): string {
  return hash('sha256', JSON.stringify(account))
}
