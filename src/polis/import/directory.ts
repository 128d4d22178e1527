import type { Directory, Endpoint, GoogleConnection } from '../../directory/directory.ts'
import { changedEndpoint } from '../../directory/endpoint.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { CreateDirectoryInput } from '../../directory/inputs.ts'
import type { DirectoryType } from '../../directory/provider.ts'
import { isDirectoryType } from '../../directory/provider.ts'
import type { Schema } from '../../inputs/json-schema.ts'
import { matches } from '../../inputs/json-schema-check.ts'
import type { Decide, Decision } from './decisions.ts'
import type { PolisDirectory } from './source.ts'

/** The fields of a directory that an import sets. */
export type ImportedDirectory = Pick<
  Directory,
  'id' | 'name' | 'tenant' | 'product' | 'directoryType' | 'endpoint' | 'google' | 'logWebhookEvents' | 'deactivated'
> & {
  /** Undefined for a directory that receives no SCIM requests. */
  readonly scimSecret: string | undefined
}

const { tenant: tenantSchema, product: productSchema, name: nameSchema } = CreateDirectoryInput.properties
const idForm = /^[^\p{Cc}\p{Cs}/?#]{1,100}$/u
const tokenForm = /^[^\p{Cc}\p{Cs}]{1,4000}$/u
const scimSecretForm = /^[!-~]{16,500}$/

/** Makes the record of a directory; undefined if it cannot be imported at all. */
export function importedDirectory(polis: PolisDirectory, decide: Decide): ImportedDirectory | undefined {
  const { id, tenant, product } = polis
  const about = (kind: Decision['kind'], text: string) => decide({ kind, directoryId: id, tenant, product, text })
  const refusal = refusalOf(polis)
  if (refusal !== undefined) {
    about('directory-refused', `${refusal} It is not imported, nor is anything in it.`)
    return undefined
  }
  const directoryType = typeOf(polis.type)
  if (directoryType === undefined) {
    about('type-unknown', `The type ${JSON.stringify(polis.type)} is unknown here: it becomes generic-scim-v2.`)
  }
  const type = directoryType ?? 'generic-scim-v2'
  return {
    ...{ id, tenant, product, directoryType: type },
    name: nameOf(polis, about),
    scimSecret: type === 'extdir' ? undefined : secretOf(polis, about),
    endpoint: endpointOf(polis.webhook, about),
    google: type === 'extdir' ? connectionOf(polis, about) : undefined,
    logWebhookEvents: polis.log_webhook_events,
    deactivated: polis.deactivated,
  }
}

type About = (kind: Decision['kind'], text: string) => void

function refusalOf({ id, tenant, product }: PolisDirectory): string | undefined {
  if (!idForm.test(id)) return `The id ${JSON.stringify(id)} cannot be part of an address.`
  const refused = Object.entries({ tenant, product }).find(
    ([field, value]) => !fits(field === 'tenant' ? tenantSchema : productSchema, value),
  )
  if (refused === undefined) return undefined
  const [field, value] = refused
  const rule = 'text of 1 to 200 characters, without ":" and control characters'
  return `The ${field} ${JSON.stringify(value)} is not allowed here: ${field}s are ${rule}.`
}

function fits(schema: Schema, value: unknown): boolean {
  return matches(schema, value)
}

/** The provider type of a type of Polis; undefined if it is unknown. */
export function typeOf(type: string): DirectoryType | undefined {
  // Earlier versions of Polis have stored the second.
  if (type === 'google' || type === 'google-api') return 'extdir'
  return isDirectoryType(type) ? type : undefined
}

function nameOf({ name, tenant, product }: PolisDirectory, about: About): string {
  if (fits(nameSchema, name)) return name
  const usual = `scim-${tenant}-${product}`.slice(0, 200)
  about('record-adjusted', `The name is empty, too long or has control characters: it becomes ${usual}.`)
  return usual
}

/** The secret; undefined if there is none that can be sent in a header: a new one is made. */
function secretOf({ scim }: PolisDirectory, about: About): string | undefined {
  if (scimSecretForm.test(scim.secret)) return scim.secret
  about('secret-made', 'There is no usable SCIM secret: a new one is made, which the identity provider must be given.')
  return undefined
}

function endpointOf({ endpoint, secret }: PolisDirectory['webhook'], about: About): Endpoint | undefined {
  if (endpoint === '') return undefined
  if (secret === '') {
    about('endpoint-refused', 'The endpoint has no secret, so that its events could not be signed: it is left out.')
    return undefined
  }
  try {
    return changedEndpoint({ webhook_url: endpoint, webhook_secret: secret }, undefined, () => secret)
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    about('endpoint-refused', `The endpoint is left out: ${error.message}`)
    return undefined
  }
}

function connectionOf(polis: PolisDirectory, about: About): GoogleConnection {
  const { google_domain: domain, google_access_token: access, google_refresh_token: refresh } = polis
  const token = (name: string, value: string | undefined): string | undefined => {
    if (value === undefined || value === '') return undefined
    if (tokenForm.test(value)) return value
    about('record-adjusted', `The ${name} of Google is not a token: an administrator has to consent again.`)
    return undefined
  }
  return {
    domain: domain === undefined || domain === '' ? undefined : domain.toLowerCase(),
    accessToken: token('access token', access),
    refreshToken: token('refresh token', refresh),
  }
}

/** The fields that an import sets, as they are compared and shown. */
const comparedFields = ['name', 'tenant', 'product', 'directoryType', 'logWebhookEvents', 'deactivated'] as const

/** The fields in which a stored directory differs from what is imported, by the names of the API. */
export function differingFields(wanted: ImportedDirectory, stored: Directory): string[] {
  const fields: string[] = comparedFields.filter((field) => wanted[field] !== stored[field])
  const [endpoint, storedEndpoint] = [wanted.endpoint, stored.endpoint]
  if (endpoint?.url !== storedEndpoint?.url) fields.push('webhook.endpoint')
  if (endpoint?.secret !== storedEndpoint?.secret) fields.push('webhook.secret')
  if (wanted.scimSecret !== undefined && wanted.scimSecret !== stored.scimSecret) fields.push('scim.secret')
  for (const field of ['domain', 'accessToken', 'refreshToken'] as const) {
    if (wanted.google?.[field] !== stored.google?.[field]) fields.push(`google.${field}`)
  }
  return fields
}

/** The record of a directory that an import creates: deactivated, until everything in it is imported. */
export function newDirectory(wanted: ImportedDirectory, newSecret: () => string, createdAt: number): Directory {
  return {
    ...wanted,
    scimSecret: wanted.scimSecret ?? newSecret(),
    previousScimSecret: undefined,
    logScimRequests: false,
    // As in Polis; an import itself may bring two of one name, which PATCH requests have made.
    uniqueGroupNames: true,
    deactivated: true,
    createdAt,
    revision: 1,
  }
}

/** The next revision of a record that an import changes. */
export function changedDirectory(wanted: ImportedDirectory, stored: Directory): Directory {
  const { scimSecret = stored.scimSecret } = wanted
  return { ...stored, ...wanted, scimSecret, revision: stored.revision + 1 }
}
