import { isObject, own } from '../../scim/json.ts'
import { isFailure } from './failure.ts'
import { parseCustomerId } from './parse.ts'
import type { RequestOptions } from './request.ts'
import { createSendRequest } from './request.ts'

/** The Workspace that an access token belongs to. */
export interface GoogleAccount {
  /** Google's id of the customer; undefined if its list of users is empty. */
  readonly workspace: string | undefined
  /** Whether the requested domain belongs to it; true without one. */
  readonly hasDomain: boolean
}

const subject = 'the users'

/**
 * Reads the Google customer that a token belongs to, and whether a domain is the customer's.
 *
 * @throws GoogleFailure
 */
export async function readAccount(options: RequestOptions, domain: string | undefined): Promise<GoogleAccount> {
  const send = createSendRequest(options)
  const target = { subject, hasPageToken: false }
  const fields = 'kind,users(customerId)'
  const workspace = await send({
    ...target,
    ...{ path: ['users'], query: { customer: 'my_customer', maxResults: 1, fields } },
    parse: (body) => {
      const users = own(body, 'users') ?? []
      if (own(body, 'kind') !== 'admin#directory#users' || !Array.isArray(users)) return undefined
      const [first] = users
      return { id: isObject(first) ? parseCustomerId(first) : undefined }
    },
  })
  if (domain === undefined) return { workspace: workspace.id, hasDomain: true }
  const inDomain = send({
    ...target,
    ...{ path: ['users'], query: { domain, maxResults: 1, fields: 'kind' } },
    parse: () => true,
  })
  return { workspace: workspace.id, hasDomain: await trueUnlessRefused(inDomain) }
}

/** Google does not list the users of other customers' domains. */
async function trueUnlessRefused(result: Promise<boolean>): Promise<boolean> {
  try {
    return await result
  } catch (error) {
    if (isFailure(error, 'refused', 'forbidden', 'not-found', 'configuration')) return false
    throw error
  }
}
