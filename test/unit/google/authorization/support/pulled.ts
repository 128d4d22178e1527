import { newEndpointSecret } from '../../../../../src/delivery/endpoint/signature.ts'
import type { Directories } from '../../../../../src/directory/directories.ts'
import { createDirectories } from '../../../../../src/directory/directories.ts'
import type { Directory, GoogleConnection } from '../../../../../src/directory/directory.ts'
import { googleConnectionOf } from '../../../../../src/directory/google-connection.ts'
import { newSecret } from '../../../../../src/directory/secret.ts'
import type { Authorization } from '../../../../../src/google/authorization/consent.ts'
import { createAuthorization } from '../../../../../src/google/authorization/consent.ts'
import type { DirectoryTokens } from '../../../../../src/google/authorization/tokens.ts'
import { createDirectoryTokens } from '../../../../../src/google/authorization/tokens.ts'
import type { GoogleAccount } from '../../../../../src/google/client/account.ts'
import { newId } from '../../../../../src/ids/new-id.ts'
import { createDirectoryAccess } from '../../../../../src/service-provider/access.ts'
import { openStore } from '../../../../../src/store/open.ts'
import type { Store } from '../../../../../src/store/store.ts'
import { testAudited, testCaller } from '../../../../support/audited.ts'
import type { ScriptedOAuth } from './scripted-oauth.ts'
import { scriptedOAuth, startedAt } from './scripted-oauth.ts'

/** The Workspaces of the tokens of a consent, and of those of the directory; an error is thrown. */
interface ScriptedAccounts {
  consenting: ScriptedAccount | Error
  connected: ScriptedAccount | Error
}

interface ScriptedAccount {
  readonly workspace: string | undefined
  readonly domains: readonly string[]
}

export const someAccount: ScriptedAccount = { workspace: 'C0acme', domains: ['acme.example'] }

function answered(account: ScriptedAccount | Error, domain: string | undefined): GoogleAccount {
  if (account instanceof Error) throw account
  return { workspace: account.workspace, hasDomain: domain === undefined || account.domains.includes(domain) }
}

/** Consent and tokens of directories, on a real store with a scripted Google. */
export interface Pulled extends AsyncDisposable {
  readonly store: Store
  readonly directories: Directories
  readonly oauth: ScriptedOAuth
  readonly accounts: ScriptedAccounts
  /** The directories that were connected by a consent, in order. */
  readonly connected: string[]
  readonly authorization: Authorization
  readonly keeper: DirectoryTokens
  /** The same for another process. */
  another(): { readonly authorization: Authorization; readonly keeper: DirectoryTokens }
  /** Without an OAuth client. */
  readonly unconfigured: Authorization
  wait(ms: number): void
  /** Creates a directory, by default of type extdir; returns it as stored. */
  create(fields?: object): Promise<Directory>
  stored(directoryId: string): Promise<GoogleConnection>
}

export async function openPulled(): Promise<Pulled> {
  const store = await openStore({
    databaseUrl: 'sqlite::memory:',
    encryptionKey: undefined,
    poolSize: 1,
    onBackgroundError(error) {
      throw error
    },
  })
  let now = startedAt
  const clock = () => now
  const access = createDirectoryAccess(store, clock)
  const checkEndpointUrl = async () => undefined
  const made = { store, access, audited: testAudited, clock, newId, newEndpointSecret, checkEndpointUrl }
  const directories = createDirectories(made)
  const oauth = scriptedOAuth()
  const accounts: ScriptedAccounts = { consenting: someAccount, connected: someAccount }
  const connected: string[] = []
  const parts = {
    ...{ store, directories, externalUrl: () => 'https://rollcall.example.com', clock, newId },
    key: newSecret(),
    accountOf: async (_token: string, domain: string | undefined) => answered(accounts.consenting, domain),
    connectedAccount: async () => answered(accounts.connected, undefined),
    onConnected: async ({ id }: Directory) => void connected.push(id),
  }
  const another = () => ({
    authorization: createAuthorization({ ...parts, oauth }),
    keeper: createDirectoryTokens({ directories, oauth, clock }),
  })
  return {
    ...{ store, directories, oauth, accounts, connected, another, ...another() },
    unconfigured: createAuthorization({ ...parts, oauth: undefined }),
    wait(ms) {
      now += ms
    },
    async create(fields) {
      const { id } = await directories.create({ tenant: 'acme', product: 'crm', type: 'extdir', ...fields }, testCaller)
      return directories.get(id)
    },
    stored: async (directoryId) => googleConnectionOf(await directories.get(directoryId)),
    [Symbol.asyncDispose]: () => store.close(),
  }
}
