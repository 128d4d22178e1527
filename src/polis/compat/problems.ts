import { directoryTypeOf } from './directories.ts'

type Fields = Readonly<Record<string, unknown>>

/** The message of Polis about the fields of a new directory; undefined when there is nothing to say. */
export function newDirectoryProblem({ tenant, product, type }: Fields): string | undefined {
  if (isMissing(tenant) || isMissing(product)) return 'Missing required parameters.'
  if (type !== undefined && directoryTypeOf(type) === undefined) return 'Invalid directory type.'
  return colonProblem({ tenant, product })
}

/** The message of Polis about the fields of a new setup link. A link for an existing directory needs no endpoint. */
export function newSetupLinkProblem({
  tenant,
  product,
  webhook_url,
  webhook_secret,
  directoryId,
}: Fields): string | undefined {
  if (isMissing(tenant) || isMissing(product)) return 'Must provide tenant and product'
  const needsEndpoint = directoryId === undefined && (isMissing(webhook_url) || isMissing(webhook_secret))
  return needsEndpoint ? 'Must provide webhook_url and webhook_secret' : colonProblem({ tenant, product })
}

function colonProblem(fields: { readonly tenant: unknown; readonly product: unknown }): string | undefined {
  const wrong = Object.entries(fields).find(([, value]) => typeof value === 'string' && value.includes(':'))
  return wrong && `${wrong[0]} cannot contain the character :`
}

export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
