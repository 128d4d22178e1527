import { changedDomains } from '../directory/allowed-domains.ts'
import type { Audited, Caller } from '../directory/audit.ts'
import type { Directory } from '../directory/directory.ts'
import { changedEndpoint, rejectBlockedUrl } from '../directory/endpoint.ts'
import { DirectoryError, throwProblems } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import type { DirectoryType } from '../directory/provider.ts'
import { digestSecret } from '../directory/secret.ts'
import { dayMs, parseSetupLink, SetupLinkQuery } from './inputs.ts'
import type { SetupLink, SetupLinkView } from './setup-link.ts'
import { setupLinkChanges, setupLinkTarget, setupLinkView } from './setup-link.ts'
import type { NewestSetupLinks, SetupLinkFilter, SetupLinkListPart, SetupLinkStore } from './setup-link-store.ts'
import { digestSetupToken, newSetupToken } from './token.ts'

/** Time for which an expired or revoked link is recognized as such, in milliseconds; then it is unknown. */
const rememberMs = 90 * 86_400_000

export interface SetupLinksParts {
  readonly store: SetupLinkStore
  readonly getDirectory: (id: string) => Promise<Directory | undefined>
  readonly audited: Audited
  /** The key of the digests of tokens, in base64url. */
  readonly key: string
  readonly externalUrl: () => string
  readonly newEndpointSecret: () => string
  /** The reason why events must not be sent to the host of a URL; undefined when they may. */
  readonly checkEndpointUrl: (url: string) => Promise<string | undefined>
  /** The provider types that the settings allow to connect. */
  readonly offeredTypes: readonly DirectoryType[]
  /** Whether tokens and secrets of endpoints are shown whenever a link is read, as products of Ory Polis expect. */
  readonly showsSecrets?: boolean
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** The management of setup links. Inputs have the API's field names and are validated here. */
export type SetupLinks = ReturnType<typeof createSetupLinks>

export function createSetupLinks(parts: SetupLinksParts) {
  const { store, getDirectory, audited, key, clock } = parts
  const view = (link: SetupLink) => viewOf(link, parts)
  return {
    ...createSetupLinkReads(parts),
    offeredTypes: parts.offeredTypes,
    /** The view of a link at present. */
    view,
    /**
     * Creates a link, whose `url` and `webhook_secret` are returned only here, or returns the existing one of the tenant for the product,
     * without them. For products of Ory Polis, it is returned whatever it has, as Polis does.
     *
     * @throws DirectoryError `invalid-input`, and `setup-link-exists` when the existing link has other values than were sent
     */
    async create(input: unknown, caller: Caller): Promise<SetupLinkView> {
      const { replaces, ...fields } = parseSetupLink(input, clock())
      const token = newSetupToken()
      const link = await newLink(fields, token, parts)
      const draft = { action: 'setup_link.created', caller, target: setupLinkTarget(link), at: link.createdAt } as const
      const audit = audited({ ...draft, changes: setupLinkChanges(undefined, link) })
      const forgetBefore = link.createdAt - rememberMs
      const outcome = await store.createSetupLink(link, audit, { replaces, forgetBefore })
      if (outcome === 'created') {
        const secret = link.endpoint && { webhook_secret: link.endpoint.secret }
        return { ...view(link), ...secret, url: urlOf(token, parts) }
      }
      if (parts.showsSecrets !== true) rejectOtherLink(input as object, link, outcome)
      return view(outcome)
    },
    /**
     * Revokes a link, which stops working at once.
     *
     * @throws DirectoryError `invalid-input`, `resource-not-found`
     */
    async delete(query: unknown, caller: Caller): Promise<void> {
      const link = await findLink(store, query)
      const draft = { action: 'setup_link.deleted', caller, target: setupLinkTarget(link), at: clock() } as const
      const audit = audited({ ...draft, changes: setupLinkChanges(link, undefined) })
      if (!(await store.revokeSetupLink(link.id, draft.at, audit))) throw notFound()
    },
    /**
     * The link with this token.
     *
     * @throws DirectoryError `resource-not-found`, and `gone` when the link has expired or was revoked, or its directory deleted
     */
    async open(token: string): Promise<SetupLink> {
      const digest = digestSetupToken(token, key)
      const link = digest === undefined ? undefined : await store.findSetupLink(digest)
      if (link === undefined) throw new DirectoryError('resource-not-found', 'This link does not exist.')
      const isOver = link.revokedAt !== undefined || link.expiresAt <= clock()
      if (isOver || (link.directoryId !== undefined && (await getDirectory(link.directoryId)) === undefined)) {
        throw new DirectoryError('gone', 'This link no longer works: ask for a new one.')
      }
      return link
    },
  }
}

/** The page for the administrator. */
function urlOf(token: string, { externalUrl }: SetupLinksParts): string {
  return `${externalUrl()}/setup/${token}`
}

function viewOf(link: SetupLink, parts: SetupLinksParts): SetupLinkView {
  const { token, endpoint } = link
  if (parts.showsSecrets !== true) return setupLinkView(link, parts.clock())
  const view = setupLinkView(link, parts.clock(), token === undefined ? '' : urlOf(token, parts))
  return endpoint === undefined ? view : { ...view, webhook_secret: endpoint.secret }
}

function createSetupLinkReads(parts: SetupLinksParts) {
  const { store, getDirectory } = parts
  return {
    /**
     * One link, by id or by tenant and product.
     *
     * @throws DirectoryError `invalid-input`, `resource-not-found`
     */
    get: async (query: unknown): Promise<SetupLinkView> => viewOf(await findLink(store, query), parts),
    /** All links, newest first, with those that are revoked or have expired. */
    newest: (filter: SetupLinkFilter, part: NewestSetupLinks): Promise<SetupLink[]> =>
      store.listNewestSetupLinks(filter, part),
    /** At most `part.limit` links of a product, or of one tenant or directory, in creation order. */
    async page(scope: SetupLinkScope, part: SetupLinkListPart): Promise<SetupLink[]> {
      const { product, directoryId } = scope
      const tenant = scope.tenant ?? (directoryId === undefined ? undefined : (await getDirectory(directoryId))?.tenant)
      if (tenant === undefined) return directoryId === undefined ? store.listSetupLinks(product, part) : []
      const link = await store.getSetupLinkOf(tenant, product)
      const isFirst = part.after === undefined && (part.offset ?? 0) === 0
      return isFirst && link !== undefined && link.directoryId === (directoryId ?? link.directoryId) ? [link] : []
    },
  }
}

/** The links to list. */
export interface SetupLinkScope {
  readonly product: string
  readonly tenant: string | undefined
  readonly directoryId: string | undefined
}

/** @throws DirectoryError `invalid-input`, `resource-not-found` */
async function findLink(store: SetupLinkStore, query: unknown): Promise<SetupLink> {
  const { id, tenant, product, directoryId } = parseInput(SetupLinkQuery, query)
  if (id === undefined && (tenant === undefined || product === undefined)) {
    throw new DirectoryError('invalid-input', 'Name the setup link: send id, or tenant and product.')
  }
  const link = await (id === undefined ? store.getSetupLinkOf(tenant ?? '', product ?? '') : store.getSetupLink(id))
  const wanted = { tenant, product, directoryId }
  const isMeant = (part: keyof typeof wanted) => wanted[part] === undefined || wanted[part] === link?.[part]
  if (link === undefined || !(isMeant('tenant') && isMeant('product') && isMeant('directoryId'))) throw notFound()
  return link
}

function notFound(): DirectoryError {
  return new DirectoryError('resource-not-found', 'There is no such setup link.')
}

/** @throws DirectoryError `invalid-input` */
async function newLink(
  fields: Omit<ReturnType<typeof parseSetupLink>, 'replaces'>,
  token: string,
  { key, newId, newEndpointSecret, checkEndpointUrl, getDirectory, offeredTypes, showsSecrets, clock }: SetupLinksParts,
): Promise<SetupLink> {
  const { tenant, product, name, directoryId, types, googleScope, roles, expiresAt } = fields
  const endpoint = changedEndpoint(fields, undefined, newEndpointSecret)
  await rejectBlockedUrl(endpoint?.url, checkEndpointUrl)
  if (directoryId !== undefined) requireDirectory(await getDirectory(directoryId), fields)
  rejectTypesNotOffered(types, offeredTypes)
  rejectOtherScope(fields, 'this link is not for Google Workspace (extdir).', types?.includes('extdir') === false)
  const tokenDigest = digestSetupToken(token, key) ?? ''
  return {
    ...{ id: newId(), tenant, product, name, directoryId, types, googleScope, roles, tokenDigest, expiresAt },
    ...(showsSecrets === true ? { token } : {}),
    isDirectoryGiven: directoryId !== undefined,
    returnUrl: fields.return_url,
    domains: changedDomains(fields, undefined),
    scimProfile: fields.scim_profile === 'strict' ? 'strict' : undefined,
    adoption: fields.adoption === 'hold' ? 'hold' : undefined,
    endpoint: endpoint && {
      url: endpoint.url,
      secret: endpoint.secret,
      ...(endpoint.headers && { headers: endpoint.headers }),
    },
    ...{ createdAt: clock(), revokedAt: undefined, openedAt: undefined, usedAt: undefined },
  }
}

/** @throws DirectoryError `setup-link-exists` when a field that was sent has another value in the existing link */
function rejectOtherLink(sent: object, asked: SetupLink, existing: SetupLink): void {
  const [wanted, present] = [optionsOf(asked), optionsOf(existing)]
  const problems = options
    .filter((field) => Object.hasOwn(sent, field) && wanted[field] !== present[field])
    .map((field) => ({ field, message: `${field}: the existing link has another value.` }))
  if (problems.length === 0) return
  const end = new Date(existing.expiresAt).toISOString()
  const names = problems.map(({ field }) => field).join(', ')
  const message = `The tenant has a setup link for this product until ${end}, which differs in ${names}: send regenerate: true to replace it, or leave these fields out.`
  throw new DirectoryError('setup-link-exists', message, problems)
}

const options = [
  ...(['name', 'webhook_url', 'webhook_secret', 'webhook_headers', 'allowed_domains', 'outside_domains'] as const),
  ...([
    'directoryId',
    'types',
    'extdir_groups',
    'extdir_org_units',
    'roles',
    'return_url',
    'scim_profile',
    'adoption',
    'expiryDays',
  ] as const),
] as const

/** The options of a link in a form that can be compared. */
function optionsOf(link: SetupLink): Record<(typeof options)[number], string | number | undefined> {
  const { name, endpoint, directoryId, types, googleScope, roles, expiresAt, createdAt } = link
  return {
    ...{ name, webhook_url: endpoint?.url, webhook_secret: endpoint && digestSecret(endpoint.secret).toString('hex') },
    webhook_headers: endpoint?.headers && JSON.stringify(Object.entries(endpoint.headers).toSorted()),
    ...{ allowed_domains: link.domains?.allowed.toSorted().join(), outside_domains: link.domains?.outside },
    ...{ scim_profile: link.scimProfile, adoption: link.adoption },
    ...{ directoryId, types: types?.toSorted().join(), roles: JSON.stringify(roles.toSorted()) },
    extdir_groups: JSON.stringify(googleScope.groups.toSorted()),
    extdir_org_units: JSON.stringify(googleScope.orgUnits.toSorted()),
    return_url: link.returnUrl,
    expiryDays: Math.round((expiresAt - createdAt) / dayMs),
  }
}

/** @throws DirectoryError `invalid-input` if groups or units are chosen, and the condition holds */
function rejectOtherScope({ googleScope }: Pick<SetupLink, 'googleScope'>, message: string, isOther: boolean): void {
  const chosen = { extdir_groups: googleScope.groups, extdir_org_units: googleScope.orgUnits }
  const problems = Object.entries(chosen).filter(([, list]) => isOther && list.length > 0)
  throwProblems(problems.map(([field]) => ({ field, message: `${field}: ${message}` })))
}

/** @throws DirectoryError `invalid-input` when an administrator could not connect a directory of one of the types */
function rejectTypesNotOffered(types: SetupLink['types'], offered: readonly DirectoryType[]): void {
  if (types === undefined || types.every((type) => offered.includes(type))) return
  const message =
    'types: Google Workspace (extdir) cannot be connected with a link: set DSYNC_EXTDIR_CLIENT_ID and DSYNC_EXTDIR_CLIENT_SECRET first, or leave it out.'
  throwProblems([{ field: 'types', message }])
}

/**
 * @throws DirectoryError `invalid-input` unless the directory belongs to the tenant and product, and the input has no
 * other fields
 */
function requireDirectory(
  directory: Directory | undefined,
  fields: Omit<ReturnType<typeof parseSetupLink>, 'replaces'>,
): void {
  if (directory?.tenant !== fields.tenant || directory.product !== fields.product) {
    throwProblems([
      { field: 'directoryId', message: 'directoryId: this tenant has no such directory for the product.' },
    ])
  }
  const message = 'leave it out when you send directoryId: the directory has its own.'
  throwProblems([
    ...(['webhook_url', 'allowed_domains', 'outside_domains', 'scim_profile', 'adoption', 'types'] as const)
      .filter((field) => fields[field])
      .map((field) => ({ field, message: `${field}: ${message}` })),
  ])
  rejectOtherScope(fields, message, true)
}
