import { changedEndpoint } from '../../directory/endpoint.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { CreateDirectoryInput } from '../../directory/inputs.ts'
import { matches } from '../../inputs/json-schema-check.ts'
import type { SetupLink } from '../../setup/setup-link.ts'
import { digestSetupToken } from '../../setup/token.ts'
import type { Decide, Decision } from './decisions.ts'
import type { PolisSetupLink } from './source.ts'

const { tenant: tenantSchema, product: productSchema, name: nameSchema } = CreateDirectoryInput.properties

export interface SetupLinkContext {
  /** The key of the digests of tokens. */
  readonly key: string
  /** Unix milliseconds. */
  readonly now: number
  readonly decide: Decide
}

/** Makes a setup link, whose address keeps working; undefined if it has expired or cannot be imported. */
export function importedSetupLink(link: PolisSetupLink, { key, now, decide }: SetupLinkContext): SetupLink | undefined {
  const { setupID: id, tenant, product, validTill } = link
  const about = (kind: Decision['kind'], text: string): undefined =>
    decide({ kind, tenant, product, id, text }) as undefined
  if (link.service !== 'dsync') {
    return about('link-refused', `The setup link is for ${JSON.stringify(link.service)}, not for directory sync.`)
  }
  if (validTill <= now) return about('link-expired', 'The setup link has expired.')
  if (!matches(tenantSchema, tenant) || !matches(productSchema, product)) {
    return about('link-refused', 'The setup link has a tenant or product that is not allowed here.')
  }
  const token = link.url.split('/').at(-1) ?? ''
  const tokenDigest = digestSetupToken(token, key)
  if (tokenDigest === undefined) return about('link-refused', 'The address of the setup link ends with no token.')
  return {
    ...{ id, tenant, product, name: matches(nameSchema, link.name) ? link.name : undefined },
    ...{ directoryId: undefined, isDirectoryGiven: false, types: undefined, roles: [], token, tokenDigest },
    googleScope: { groups: [], orgUnits: [] },
    endpoint: endpointOf(link, about),
    ...{ createdAt: now, expiresAt: validTill, revokedAt: undefined, openedAt: undefined, usedAt: undefined },
  }
}

function endpointOf(
  { webhook_url, webhook_secret }: PolisSetupLink,
  about: (kind: Decision['kind'], text: string) => undefined,
): SetupLink['endpoint'] {
  if (!webhook_url || !webhook_secret) return undefined
  try {
    const endpoint = changedEndpoint({ webhook_url, webhook_secret }, undefined, () => webhook_secret)
    return endpoint && { url: endpoint.url, secret: endpoint.secret }
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    return about('endpoint-refused', `The endpoint of the setup link is left out: ${error.message}`)
  }
}

/** Returns whether a stored link is the imported one, and leads to the same endpoint. */
export function isSameLink(link: SetupLink, stored: SetupLink): boolean {
  const { tokenDigest, expiresAt, endpoint } = link
  return (
    stored.tokenDigest === tokenDigest &&
    stored.expiresAt === expiresAt &&
    stored.endpoint?.url === endpoint?.url &&
    stored.endpoint?.secret === endpoint?.secret
  )
}
