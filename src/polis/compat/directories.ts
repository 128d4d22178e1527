import type { DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryView } from '../../directory/directory-view.ts'
import type { DirectoryType } from '../../directory/provider.ts'
import { isDirectoryType, providers } from '../../directory/provider.ts'
import type { Listing } from '../../reads/page.ts'
import { isObject } from '../../scim/json.ts'
import type { ServiceParts } from '../../service-parts.ts'
import type { Fields, PolisPage } from './paging.ts'
import { newestFirst } from './paging.ts'

/** The types as Polis names them. */
export type PolisDirectoryType = Exclude<DirectoryType, 'extdir'> | 'google'

/** The labels that Polis shows for its own types; Rollcall has more. */
const polisLabels = {
  'azure-scim-v2': 'Entra ID SCIM v2.0',
  'onelogin-scim-v2': 'OneLogin SCIM v2.0',
  'okta-scim-v2': 'Okta SCIM v2.0',
  'jumpcloud-scim-v2': 'JumpCloud v2.0',
  'generic-scim-v2': 'Generic SCIM v2.0',
  google: 'Google',
} as const

/** All types with their labels: those of Polis, and the further ones of Rollcall. */
export const polisProviders: Readonly<Record<string, string>> = {
  ...polisLabels,
  ...Object.fromEntries(
    Object.entries(providers).filter(([type]) => type !== 'extdir' && !Object.hasOwn(polisLabels, type)),
  ),
}

/** A directory as Polis returns it, with the further settings of Rollcall beside. */
export type PolisDirectoryView = Omit<DirectoryView, 'type' | 'scim' | `extdir_${string}`> & {
  readonly type: PolisDirectoryType
  readonly scim: { readonly path: string; readonly secret: string; readonly endpoint?: string }
  readonly google_domain?: string
  readonly google_access_token?: string
  readonly google_refresh_token?: string
  readonly google_authorization_url?: string
}

/** The flag with which Entra ID follows the RFCs. */
const entraFlag = '/?aadOptscim062020'

/** A directory as Polis returns it. */
export function polisDirectory(view: DirectoryView): PolisDirectoryView {
  const { type, scim, ...fields } = view
  const others = Object.entries(fields).filter(([name]) => !name.startsWith('extdir_'))
  const shown = Object.fromEntries(others) as Omit<PolisDirectoryView, 'type' | 'scim'>
  if (type === 'extdir') return { ...shown, type: 'google', scim: { path: '', secret: '' }, ...googleFields(view) }
  if (type !== 'azure-scim-v2') return { ...shown, type, scim }
  return { ...shown, type, scim: { ...scim, path: scim.path + entraFlag, endpoint: scim.endpoint + entraFlag } }
}

function googleFields(view: DirectoryView) {
  return {
    google_domain: view.extdir_domain ?? '',
    google_access_token: view.extdir_access_token ?? '',
    google_refresh_token: view.extdir_refresh_token ?? '',
    google_authorization_url: view.extdir_authorization_url ?? '',
  }
}

/** The type that a text of Polis means; undefined for one that does not exist. */
export function directoryTypeOf(type: unknown): DirectoryType | undefined {
  if (type === 'google' || type === 'google-api') return 'extdir'
  return typeof type === 'string' && isDirectoryType(type) ? type : undefined
}

/**
 * The fields of a new directory. A URL without a secret, or a secret without a URL, is no endpoint. Names of groups are unique,
 * as in Polis, because a product may find groups by them.
 */
export function newDirectoryFields(fields: Fields): Fields {
  const { type, webhook_url, webhook_secret, name, ...others } = ownNames(fields)
  const hasEndpoint = isText(webhook_url) && isText(webhook_secret)
  return {
    unique_group_names: true,
    ...withFlags(others),
    ...(type === undefined ? {} : { type: directoryTypeOf(type) ?? type }),
    ...(isText(name) ? { name } : {}),
    ...(hasEndpoint ? { webhook_url, webhook_secret } : {}),
  }
}

/** The fields to change; those that Polis ignores are left out. */
export function changedDirectoryFields(fields: Fields): Fields {
  const { tenant, product, type, scim, webhook, name, ...others } = ownNames(fields)
  return {
    ...(isObject(webhook) ? endpointFields(webhook) : {}),
    ...withFlags(others),
    ...(isText(name) ? { name } : {}),
  }
}

function endpointFields({ endpoint, secret }: Fields): Fields {
  return {
    ...(endpoint === undefined ? {} : { webhook_url: endpoint }),
    ...(secret === undefined ? {} : { webhook_secret: secret }),
  }
}

/** The fields with the names of Rollcall. */
function ownNames(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/^google_(?=(domain|access_token|refresh_token)$)/, 'extdir_'),
      value,
    ]),
  )
}

const flags = ['log_webhook_events', 'deactivated']

function withFlags(fields: Fields): Fields {
  const sent = flags.filter((name) => fields[name] !== undefined)
  return { ...fields, ...Object.fromEntries(sent.map((name) => [name, isTrue(fields[name])])) }
}

/** Everything but `false` and `"false"` is true to Polis. */
export function isTrue(value: unknown): boolean {
  return value !== false && value !== 'false'
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** A page of all. */
export const allRows: PolisPage = { offset: 0, limit: Number.MAX_SAFE_INTEGER, token: undefined }

/**
 * Directories of a scope, newest first.
 *
 * @param shown what the caller may see of a directory
 * @throws DirectoryError `invalid-input`
 */
export async function polisDirectories(
  { directories, directoryView, totals }: Pick<ServiceParts, 'directories' | 'directoryView' | 'totals'>,
  scope: DirectoryScope,
  page: PolisPage,
  shown: (view: DirectoryView) => DirectoryView = (view) => view,
): Promise<Listing> {
  const text = (view: PolisDirectoryView) => JSON.stringify(view)
  const list = {
    total: await totals.directories(scope),
    async read({ pageOffset: offset, pageLimit: limit }: { readonly pageOffset: number; readonly pageLimit: number }) {
      const found = await directories.page(scope, { offset, limit })
      return { rows: found.map((directory) => text(polisDirectory(shown(directoryView(directory))))) }
    },
    translate: (row: string) => row,
  }
  return newestFirst(list, page)
}

/** The message of Polis about the fields of a new directory; undefined when there is nothing to say. */
export function newDirectoryProblem({ tenant, product, type }: Fields): string | undefined {
  if (isMissing(tenant) || isMissing(product)) return 'Missing required parameters.'
  if (type !== undefined && directoryTypeOf(type) === undefined) return 'Invalid directory type.'
  return colonProblem({ tenant, product })
}

/** The message of Polis about a tenant or product with a colon. */
export function colonProblem(fields: { readonly tenant: unknown; readonly product: unknown }): string | undefined {
  const wrong = Object.entries(fields).find(([, value]) => typeof value === 'string' && value.includes(':'))
  return wrong && `${wrong[0]} cannot contain the character :`
}

export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
