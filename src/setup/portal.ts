import { createKeyedMutex } from '../concurrency/keyed-mutex.ts'
import type { Caller } from '../directory/audit.ts'
import type { Directories } from '../directory/directories.ts'
import type { Directory } from '../directory/directory.ts'
import { scimPath } from '../directory/directory-view.ts'
import { DirectoryError, throwProblems } from '../directory/errors.ts'
import type { AuthorizationStatus } from '../directory/google-connection.ts'
import { authorizationStatus } from '../directory/google-connection.ts'
import { parseInput } from '../directory/inputs.ts'
import type { DirectoryType } from '../directory/provider.ts'
import { providers } from '../directory/provider.ts'
import type { Authorization } from '../google/authorization/consent.ts'
import type { GoogleStore } from '../google/google-store.ts'
import { ChooseProviderInput, GoogleScopeInput } from './inputs.ts'
import type { PortalGroupsPage, PortalGroupsParts } from './portal-groups.ts'
import { portalGroups } from './portal-groups.ts'
import type { ObservedHealth, PortalHealth, RefusedRequest } from './portal-health.ts'
import { portalHealth } from './portal-health.ts'
import type { CreatedPortalClient, PortalOAuth, PortalOAuthParts } from './portal-oauth.ts'
import { createPortalClient, deletePortalClients, lastSignIn, portalOAuth } from './portal-oauth.ts'
import type { PortalPreview, PortalRolesParts, PortalRolesRun } from './portal-roles.ts'
import { giveGroupRole, previewGroupRole, rolesRun } from './portal-roles.ts'
import type { SetupLink } from './setup-link.ts'
import type { SetupLinkStore } from './setup-link-store.ts'

/** The appearance of the portal, which shows the product. */
export interface PortalBranding {
  readonly name: string | null
  readonly logo_url: string | null
  /** A hexadecimal color like `#1d4ed8`. */
  readonly color: string | null
  /** The catalogs that list the product: `okta`, `entra`. */
  readonly listed_in: readonly string[]
  /** The page of the product to which the portal leads back. */
  readonly return_url: string | null
}

/** The directory for the holder of a setup link, without anything about the product's endpoint. */
export interface PortalDirectory {
  readonly type: DirectoryType
  readonly label: string
  readonly deactivated: boolean
  /** The base URL to enter at the identity provider; null for Google Workspace, which is read instead. */
  readonly scim_endpoint: string | null
  /** The last characters of the current secret, by which the page recognizes one that it still shows. */
  readonly secret_ending: string | null
  /** For identity providers that can sign in with OAuth 2.0. */
  readonly oauth: PortalOAuth | null
  /** For Google Workspace. */
  readonly google: {
    readonly status: AuthorizationStatus
    /** Whether the holder of the link can connect it: false without an OAuth client. */
    readonly can_connect: boolean
    readonly error: string | null
    readonly domain: string | null
    /** The only groups that are synced, and the organizational units whose users are; none: no restriction. */
    readonly groups: readonly string[]
    readonly org_units: readonly string[]
    readonly pending_reason: string | null
    /** Whether syncs repeat without anybody who starts them. */
    readonly is_scheduled: boolean
  } | null
}

export interface PortalView {
  readonly name: string | null
  readonly product: string
  /** ISO 8601 in UTC. */
  readonly expires_at: string
  readonly portal: PortalBranding
  /** The provider types to choose from, with their labels; only one when the directory exists already. */
  readonly types: readonly { readonly type: DirectoryType; readonly label: string }[]
  /** The roles that the holder of the link may give to groups. */
  readonly roles: readonly string[]
  readonly directory: PortalDirectory | null
}

/** The secret is shown only when it is new. */
export type PortalViewWithSecret = PortalView & { readonly secret: string | null }

export type PortalViewWithClient = PortalView & { readonly created: CreatedPortalClient }

export interface PortalParts extends PortalOAuthParts {
  readonly store: Pick<SetupLinkStore, 'markSetupLink' | 'setSetupLinkDirectory'> &
    Pick<GoogleStore, 'listSyncRuns'> &
    PortalGroupsParts['store'] &
    PortalRolesParts['store']
  readonly mappings: PortalRolesParts['mappings']
  readonly reads: PortalGroupsParts['reads']
  readonly directories: Pick<Directories, 'changeProvider' | 'create' | 'delete' | 'get' | 'rotateSecret' | 'update'>
  readonly authorization: Pick<Authorization, 'authorizationLink' | 'isConfigured'>
  /** Whether syncs with Google Workspace start automatically. */
  readonly isSyncScheduled: boolean
  /** The provider types that the settings allow to connect. */
  readonly offeredTypes: readonly DirectoryType[]
  /** Reads the observations about a directory's identity provider. */
  readonly observed: (directoryId: string) => Promise<ObservedHealth>
  /** Reads the last refused request of a directory that has not succeeded since. */
  readonly lastRefused: (directoryId: string) => Promise<RefusedRequest | undefined>
  readonly branding: PortalBranding
  /** The origins whose pages may show the portal in a frame. */
  readonly frameAncestors: readonly string[]
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** The operations for the holder of a setup link, which `SetupLinks.open` has opened and checked. */
export type Portal = ReturnType<typeof createPortal>

export function createPortal(parts: PortalParts) {
  const { directories, authorization } = parts
  const oneOfLink = createKeyedMutex()
  return {
    branding: parts.branding,
    frameAncestors: parts.frameAncestors,
    async view(link: SetupLink): Promise<PortalView> {
      if (link.openedAt === undefined) await parts.store.markSetupLink(link.id, 'opened', parts.clock())
      return portalView(link, await directoryOf(link, parts), parts)
    },
    /**
     * The health of the connection.
     *
     * @throws DirectoryError `directory-not-found`
     */
    async health(link: SetupLink): Promise<PortalHealth> {
      const directory = await requireDirectory(link, parts)
      const { id, deactivated, google } = directory
      const [observed, refused, oauth, syncs] = await Promise.all([
        parts.observed(id),
        parts.lastRefused(id),
        portalOAuth(directory, parts),
        google && parts.store.listSyncRuns(id, undefined, 2),
      ])
      const isOff = deactivated || (google !== undefined && authorizationStatus(google) === 'needs_authorization')
      return portalHealth(observed, refused, { isOff, tokenIssuedAt: lastSignIn(oauth?.clients ?? []), syncs })
    },
    /**
     * Creates the directory for the chosen identity provider, or changes the provider of the directory that the link
     * has created. A new secret is returned.
     *
     * @throws DirectoryError `invalid-input`, `too-many-directories`, `directory-in-use`
     */
    async chooseProvider(link: SetupLink, input: unknown, caller: Caller): Promise<PortalViewWithSecret> {
      const { type } = parseInput(ChooseProviderInput, input)
      rejectOtherTypes(link, type, parts)
      const before = await directoryOf(link, parts)
      if (before !== undefined) {
        rejectFixedType(link, before, type)
        const { directory: changed, hasNewSecret } = await directories.changeProvider(before.id, type, caller)
        const isNewGoogle = type === 'extdir' && before.google === undefined
        const directory = isNewGoogle ? await directories.update(changed.id, scopeFields(link), caller) : changed
        if (hasNewSecret) await deletePortalClients(directory, caller, parts)
        await markUsed(link, parts)
        return { ...(await portalView(link, directory, parts)), secret: hasNewSecret ? shownSecret(directory) : null }
      }
      const created = await directories.create(directoryFields(link, type), caller)
      if (!(await parts.store.setSetupLinkDirectory(link.id, created.id))) {
        await directories.delete(created.id, caller)
        throw new DirectoryError('directory-in-use', 'Someone else is using this link: reload the page.')
      }
      await markUsed(link, parts)
      return { ...(await portalView(link, created, parts)), secret: shownSecret(created) }
    },
    /**
     * Makes a new SCIM secret, because the current one is never shown again. The replaced one remains valid for
     * `grace_seconds`.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async rotateSecret(link: SetupLink, input: unknown, caller: Caller): Promise<PortalViewWithSecret> {
      const { id } = await requireDirectory(link, parts)
      const rotated = await directories.rotateSecret(id, input, caller)
      await markUsed(link, parts)
      return { ...(await portalView(link, rotated, parts)), secret: shownSecret(rotated) }
    },
    /**
     * Creates an OAuth client, whose secret is returned only here.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `too-many-clients`
     */
    async createClient(link: SetupLink, input: unknown, caller: Caller): Promise<PortalViewWithClient> {
      const directory = await requireDirectory(link, parts)
      const created = await createPortalClient(directory, input, caller, parts)
      await markUsed(link, parts)
      return { ...(await portalView(link, directory, parts)), created }
    },
    /**
     * Deletes an OAuth client, whose access ends at once.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found`
     */
    async deleteClient(link: SetupLink, clientId: string, caller: Caller): Promise<PortalView> {
      const directory = await requireDirectory(link, parts)
      await parts.oauthClients.delete(directory.id, clientId, caller)
      await markUsed(link, parts)
      return portalView(link, directory, parts)
    },
    /**
     * Chooses the groups and organizational units of Google Workspace to sync.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async chooseGoogleScope(link: SetupLink, input: unknown, caller: Caller): Promise<PortalView> {
      const { id } = await requireDirectory(link, parts)
      const chosen = { extdir_groups: null, extdir_org_units: null, ...parseInput(GoogleScopeInput, input) }
      const directory = await directories.update(id, chosen, caller)
      await markUsed(link, parts)
      return portalView(link, directory, parts)
    },
    /**
     * The page where the administrator lets the service read a Google Workspace.
     *
     * @throws DirectoryError `directory-not-found`, `invalid-input`, `not-configured`
     */
    async authorizationUrl(link: SetupLink): Promise<{ readonly url: string; readonly expires_at: string }> {
      const { url, expiresAt } = await authorization.authorizationLink((await requireDirectory(link, parts)).id)
      await markUsed(link, parts)
      return { url, expires_at: new Date(expiresAt).toISOString() }
    },
    /**
     * The groups that have arrived, with their roles.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `forbidden` for a link without roles
     */
    async groups(link: SetupLink, query: unknown): Promise<PortalGroupsPage> {
      return portalGroups(await requireRoles(link, parts), query, parts)
    },
    /**
     * The changes that a role for a group would cause. Those of a link are found one after the other.
     *
     * @param signal aborts when nobody waits for them any more
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`, `forbidden`; the reason of the
     * signal
     */
    previewRole(link: SetupLink, groupId: string, input: unknown, signal?: AbortSignal): Promise<PortalPreview> {
      return oneOfLink(link.id, async () => {
        signal?.throwIfAborted()
        return previewGroupRole(await requireRoles(link, parts), groupId, input, signal, parts)
      })
    },
    /**
     * Gives a group one of the roles of the link, or none.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`, `forbidden`
     */
    async giveRole(link: SetupLink, groupId: string, input: unknown, caller: Caller): Promise<PortalRolesRun> {
      const run = await giveGroupRole(await requireRoles(link, parts), groupId, input, caller, parts)
      await markUsed(link, parts)
      return run
    },
    /**
     * The progress of the run that applies the last change of roles.
     *
     * @throws DirectoryError `directory-not-found`, `forbidden`
     */
    rolesRun: async (link: SetupLink): Promise<PortalRolesRun> => rolesRun(await requireRoles(link, parts), parts),
  }
}

async function markUsed({ id, usedAt }: SetupLink, { store, clock }: PortalParts): Promise<void> {
  if (usedAt === undefined) await store.markSetupLink(id, 'used', clock())
}

async function directoryOf({ directoryId }: SetupLink, { directories }: PortalParts): Promise<Directory | undefined> {
  if (directoryId === undefined) return undefined
  return directories.get(directoryId).catch((error: unknown) => {
    if (error instanceof DirectoryError && error.code === 'directory-not-found') return undefined
    throw error
  })
}

/** @throws DirectoryError `directory-not-found` */
async function requireDirectory(link: SetupLink, parts: PortalParts): Promise<Directory> {
  const directory = await directoryOf(link, parts)
  if (directory === undefined) throw new DirectoryError('directory-not-found', 'Choose your identity provider first.')
  return directory
}

/** @throws DirectoryError `forbidden` for a link without roles, `directory-not-found` */
async function requireRoles(link: SetupLink, parts: PortalParts) {
  if (link.roles.length === 0) throw new DirectoryError('forbidden', 'This link is not for giving roles to groups.')
  return { link, directory: await requireDirectory(link, parts) }
}

/** The types of a link that the settings allow to connect: none, if it is for Google Workspace only. */
function typesOf({ types }: SetupLink, { offeredTypes }: PortalParts): readonly DirectoryType[] {
  return types === undefined ? offeredTypes : types.filter((type) => offeredTypes.includes(type))
}

function rejectOtherTypes(link: SetupLink, type: DirectoryType, parts: PortalParts): void {
  const types = typesOf(link, parts)
  if (types.includes(type)) return
  throwProblems([{ field: 'type', message: `type: this link is for ${types.join(', ')}.` }])
}

/** @throws DirectoryError `directory-in-use` if the link was created for a directory of another type */
function rejectFixedType({ isDirectoryGiven }: SetupLink, { directoryType }: Directory, type: DirectoryType): void {
  if (!isDirectoryGiven || type === directoryType) return
  const message = `This link is for a directory of ${providers[directoryType]}: ask the person who sent it to you for another one.`
  throw new DirectoryError('directory-in-use', message)
}

function directoryFields(link: SetupLink, type: DirectoryType) {
  const { tenant, product, name, endpoint, domains, scimProfile, adoption } = link
  const { url, secret, headers } = endpoint ?? {}
  return {
    ...{ tenant, product, type },
    ...(name === undefined ? {} : { name }),
    ...(endpoint && { webhook_url: url, webhook_secret: secret, webhook_headers: headers ?? null }),
    ...(domains && { allowed_domains: [...domains.allowed], outside_domains: domains.outside }),
    ...(scimProfile && { scim_profile: scimProfile }),
    ...(adoption && { adoption }),
    ...(type === 'extdir' && scopeFields(link)),
  }
}

function scopeFields({ googleScope: { groups, orgUnits } }: SetupLink) {
  return { extdir_groups: groups, extdir_org_units: orgUnits }
}

function shownSecret({ google, scimSecret }: Directory): string | null {
  return google === undefined ? scimSecret : null
}

async function portalView(link: SetupLink, directory: Directory | undefined, parts: PortalParts): Promise<PortalView> {
  const types = link.isDirectoryGiven && directory !== undefined ? [directory.directoryType] : typesOf(link, parts)
  return {
    ...{ name: link.name ?? null, product: link.product, expires_at: new Date(link.expiresAt).toISOString() },
    portal: { ...parts.branding, return_url: link.returnUrl ?? parts.branding.return_url },
    types: types.map((type) => ({ type, label: providers[type] })),
    roles: link.roles,
    directory: directory === undefined ? null : await directoryView(directory, parts),
  }
}

async function directoryView(directory: Directory, parts: PortalParts): Promise<PortalDirectory> {
  const { id, directoryType: type, deactivated, google, scimSecret } = directory
  const { externalUrl, authorization } = parts
  return {
    ...{ type, label: providers[type], deactivated },
    scim_endpoint: google === undefined ? `${externalUrl()}${scimPath(id)}` : null,
    secret_ending: google === undefined ? scimSecret.slice(-4) : null,
    oauth: await portalOAuth(directory, parts),
    google:
      google === undefined
        ? null
        : {
            status: authorizationStatus(google),
            can_connect: authorization.isConfigured,
            error: google.authorizationNeeded ?? null,
            domain: google.domain ?? null,
            groups: google.groups?.map(({ key }) => key) ?? [],
            org_units: google.orgUnits ?? [],
            pending_reason: google.pending?.reason ?? null,
            is_scheduled: parts.isSyncScheduled,
          },
  }
}
