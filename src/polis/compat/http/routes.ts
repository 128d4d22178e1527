import type { FastifyReply, FastifyRequest } from 'fastify'
import { withoutSecrets } from '../../../directory/directory-view.ts'
import { DirectoryError } from '../../../directory/errors.ts'
import { parseInput, ScopeInput } from '../../../directory/inputs.ts'
import type { HttpService } from '../../../http/context.ts'
import { sendList } from '../../../http/responses.ts'
import type { Listing } from '../../../reads/page.ts'
import { withoutLinkSecrets } from '../../../setup/setup-link.ts'
import {
  allRows,
  changedDirectoryFields,
  isMissing,
  newDirectoryFields,
  newDirectoryProblem,
  polisDirectories,
  polisDirectory,
} from '../directories.ts'
import { polisDeliveries, polisDelivery } from '../events.ts'
import type { Fields, PolisPage } from '../paging.ts'
import { polisPage } from '../paging.ts'
import { polisGroupOf, polisGroups, polisMembers, polisUserOf, polisUsers } from '../resources.ts'
import { newSetupLinkFields, newSetupLinkProblem, polisSetupLink, polisSetupLinks } from '../setup-links.ts'

interface Call {
  readonly service: HttpService
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The query without empty values. */
  readonly query: Fields
  readonly id: string
}

/** How Polis answers a request whose route exists here, too. What is not set is as in Rollcall. */
export interface PolisRoute {
  /** The message of Polis about a body. */
  readonly problem?: (body: Fields) => string | undefined
  /** Translates a body; unknown fields are left out afterwards. */
  readonly body?: (body: Fields) => Fields
  /** Answers instead of the route: with what it returns, or `isSent`; undefined leaves it to the route. */
  readonly instead?: (call: Call) => Promise<unknown>
  /** Translates what the route answers in `data`. */
  readonly data?: (data: never) => unknown
  /** The answer, or the message of Polis, when something does not exist. */
  readonly notFound?: NotFound
}

type NotFound = (call: Pick<Call, 'query' | 'id'>, error: DirectoryError) => string | { readonly data: unknown }

const noDirectory = 'Directory not found.'
const noConfiguration = 'Directory configuration not found.'
const noLink = 'Setup link is not found'

/** The directory of a list that does not exist is an error only if nothing else names the scope. */
const emptyList: NotFound = ({ query }) =>
  isMissing(query['tenant']) || isMissing(query['product']) ? noDirectory : { data: [] }
const orDirectory =
  (message: (id: string) => string): NotFound =>
  ({ id }, { code }) =>
    code === 'directory-not-found' ? noDirectory : message(id)

/** The routes that Polis has, by method and path. */
export const polisRoutes: Readonly<Record<string, PolisRoute>> = {
  'POST /': { problem: newDirectoryProblem, body: newDirectoryFields, data: polisDirectory },
  'GET /': { instead: listDirectories },
  'GET /product': { instead: listProductDirectories },
  'GET /:id': { data: polisDirectory, notFound: () => noConfiguration },
  'PATCH /:id': {
    body: changedDirectoryFields,
    instead: unchangedDirectory,
    data: polisDirectory,
    notFound: () => noConfiguration,
  },
  'DELETE /:id': { notFound: () => ({ data: {} }) },
  'GET /users': {
    instead: async ({ service, reply, query }) => sendPage(reply, await polisUsers(service, query)),
    notFound: emptyList,
  },
  'GET /users/:id': {
    instead: async ({ service, query, id }) => ({ data: await polisUserOf(service, id, query) }),
    notFound: orDirectory(() => 'User not found'),
  },
  'GET /groups': {
    instead: async ({ service, reply, query }) => sendPage(reply, await polisGroups(service, query)),
    notFound: emptyList,
  },
  'GET /groups/:id': {
    instead: async ({ service, query, id }) => ({ data: await polisGroupOf(service, id, query) }),
    notFound: orDirectory((id) => `Group with id ${id} not found.`),
  },
  'GET /groups/:id/members': {
    instead: async ({ service, reply, query, id }) => sendPage(reply, await polisMembers(service, id, query), '}'),
    notFound: (call, error) => (error.code === 'directory-not-found' ? emptyList(call, error) : { data: [] }),
  },
  'GET /events': { instead: ({ service, query }) => polisDeliveries(service, query), notFound: emptyList },
  'GET /events/:id': {
    instead: async ({ service, query, id }) => ({ data: await polisDelivery(service, id, query) }),
    notFound: orDirectory(() => ''),
  },
  'DELETE /events': { data: () => null, notFound: () => noDirectory },
  'POST /setuplinks': { problem: newSetupLinkProblem, body: newSetupLinkFields, data: polisSetupLink },
  'GET /setuplinks': { instead: requireLinkScope, data: polisSetupLink, notFound: () => noLink },
  'GET /setuplinks/product': { instead: listSetupLinks },
  'DELETE /setuplinks': {
    instead: deleteNoLink,
    notFound: ({ query }) => (isMissing(query['id']) ? noLink : { data: {} }),
  },
  'POST /cron/process-events': { instead: async ({ service, request }) => processEventsInBackground(service, request) },
}

/** The answer has been sent. A reply cannot say so, because an asynchronous function waits for it and returns nothing. */
export const isSent = Symbol('sent')

async function sendPage(reply: FastifyReply, page: Listing, end?: string): Promise<typeof isSent> {
  await sendList(reply, page, end)
  return isSent
}

function refuse(message: string): never {
  throw new DirectoryError('invalid-input', message)
}

/** All directories of a tenant for a product. */
async function listDirectories(call: Call) {
  const { tenant, product } = call.query
  if (isMissing(tenant) || isMissing(product)) refuse('Please provide tenant and product')
  return sendDirectories(call, allRows, '}')
}

async function listProductDirectories(call: Call) {
  if (isMissing(call.query['product'])) refuse('Please provide a product')
  return sendDirectories(call, polisPage(call.query))
}

async function sendDirectories({ service, request, reply, query }: Call, page: PolisPage, end?: string) {
  const shown = request.keyScope.readOnly ? withoutSecrets : undefined
  return sendPage(reply, await polisDirectories(service, scopeIn(query), page, shown), end)
}

async function listSetupLinks({ service, request, query }: Call) {
  if (isMissing(query['product'])) refuse('Please provide a product')
  const shown = request.keyScope.readOnly ? withoutLinkSecrets : undefined
  return polisSetupLinks(service, scopeIn(query), polisPage(query), shown)
}

/** @throws DirectoryError `invalid-input` */
function scopeIn({ tenant, product }: Fields) {
  return parseInput(ScopeInput, { tenant, product })
}

/** Polis answers a change of nothing with the directory. */
async function unchangedDirectory({ service, request, id }: Call) {
  if (Object.keys(Object(request.body)).length > 0) return undefined
  return { data: polisDirectory(service.directoryView(await service.directories.get(id))) }
}

async function requireLinkScope({ query: { id, tenant, product } }: Call) {
  if (isMissing(id) && (isMissing(tenant) || isMissing(product)))
    refuse('Please provide either id or tenant and product')
  return undefined
}

/** To Polis, the deletion of nothing is none. */
async function deleteNoLink({ query: { id, tenant, product } }: Call) {
  return isMissing(id) && (isMissing(tenant) || isMissing(product)) ? { data: {} } : undefined
}

/** Starts to send what is due. */
export function processEventsInBackground(service: HttpService, request: FastifyRequest) {
  inBackground(request, () => service.processEvents())
  return { message: 'Processing started' }
}

/**
 * Starts a job that goes on after the answer.
 *
 * @throws DirectoryError `forbidden` for a key that only reads, whatever the method
 */
export function inBackground({ id: requestId, keyScope, log }: FastifyRequest, start: () => Promise<unknown>): void {
  if (keyScope.readOnly)
    throw new DirectoryError('forbidden', 'This API key is not allowed to do this: it is read-only.')
  start().catch((error: unknown) => {
    const isOurs = !(error instanceof DirectoryError)
    log[isOurs ? 'error' : 'warn']({ requestId, err: error }, 'a job of the directory-sync API failed')
  })
}
