import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryView } from '../../directory/directory-view.ts'
import { withoutSecrets } from '../../directory/directory-view.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { parseInput, ScopeInput } from '../../directory/inputs.ts'
import { changedDirectoryFields, newDirectoryFields, polisDirectory } from '../../polis/compat/directories.ts'
import { polisLog } from '../../polis/compat/events.ts'
import type { PolisPage } from '../../polis/compat/paging.ts'
import { polisPage } from '../../polis/compat/paging.ts'
import { isMissing, newDirectoryProblem, newSetupLinkProblem } from '../../polis/compat/problems.ts'
import { polisGroup, polisUser } from '../../polis/compat/resources.ts'
import { newSetupLinkFields, polisSetupLink } from '../../polis/compat/setup-links.ts'
import { readPageToken, writePageToken } from '../../reads/page-token.ts'
import { scopeOf } from '../../reads/paging.ts'
import type { JsonBody } from '../../scim/json-list.ts'
import { wholeText } from '../../scim/json-list.ts'
import type { SetupLink } from '../../setup/setup-link.ts'
import { withoutLinkSecrets } from '../../setup/setup-link.ts'
import type { HttpService } from '../context.ts'
import { sendList } from '../responses.ts'
import { processEventsInBackground } from './cron.ts'
import type { NewestFirst } from './lists.ts'
import { sendNewestFirst } from './lists.ts'

type Fields = Readonly<Record<string, unknown>>

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
  /** Answers instead of the route; undefined leaves it to the route. */
  readonly instead?: (call: Call) => Promise<unknown>
  /** Translates what the route answers in `data`. */
  readonly data?: (data: never) => unknown
  /** The answer, or the message of Polis, when something does not exist. */
  readonly notFound?: NotFound
}

type NotFound = (call: Pick<Call, 'query' | 'id'>, error: DirectoryError) => string | { readonly data: unknown }

const listEnd = ',"error":null}'
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
  'GET /users': { instead: listUsers, notFound: emptyList },
  'GET /users/:id': { instead: getUser, notFound: orDirectory(() => 'User not found') },
  'GET /groups': { instead: listGroups, notFound: emptyList },
  'GET /groups/:id': { instead: getGroup, notFound: orDirectory((id) => `Group with id ${id} not found.`) },
  'GET /groups/:id/members': {
    instead: listMembers,
    notFound: (call, error) => (error.code === 'directory-not-found' ? emptyList(call, error) : { data: [] }),
  },
  'GET /events': { instead: listEvents, notFound: emptyList },
  'GET /events/:id': { instead: getEvent, notFound: orDirectory(() => '') },
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

function refuse(message: string): never {
  throw new DirectoryError('invalid-input', message)
}

/** @throws DirectoryError `invalid-input` */
function scopeIn({ tenant, product, directoryId }: Fields): DirectoryScope {
  if (isMissing(directoryId) && (isMissing(tenant) || isMissing(product)))
    refuse('Set tenant and product before using store.')
  return scopeOf(parseInput(ScopeInput, { tenant, product, directoryId }))
}

const translated = (translate: (row: Fields) => unknown) => (row: string) => JSON.stringify(translate(JSON.parse(row)))

async function listUsers({ service, reply, query }: Call) {
  const scope = scopeIn(query)
  const list: NewestFirst = {
    total: await service.totals.users(scope),
    read: (part) => service.reads.users({ ...scope, ...part }),
    translate: translated(polisUser),
  }
  if (list.total === 0) await service.reads.users({ ...scope, pageLimit: 1 })
  return sendNewestFirst(reply, list, polisPage(query), listEnd)
}

async function listGroups({ service, reply, query }: Call) {
  const scope = scopeIn(query)
  const list: NewestFirst = {
    total: await service.totals.groups(scope),
    read: (part) => service.reads.groups({ ...scope, ...part }),
    translate: translated(polisGroup),
  }
  if (list.total === 0) await service.reads.groups({ ...scope, pageLimit: 1 })
  return sendNewestFirst(reply, list, polisPage(query), listEnd)
}

async function getUser({ service, query, id }: Call) {
  return { data: polisUser(await objectIn(service.reads.user(id, scopeIn(query)))) }
}

async function getGroup({ service, query, id }: Call) {
  return { data: polisGroup(await objectIn(service.reads.group(id, { ...scopeIn(query), members: 'false' }))) }
}

async function objectIn(read: Promise<JsonBody>): Promise<Fields> {
  return JSON.parse(await wholeText(await read))
}

async function listMembers({ service, reply, query, id }: Call) {
  const { offset: pageOffset, limit: pageLimit, token: pageToken } = polisPage(query)
  const start = pageToken === undefined ? { pageOffset } : { pageToken }
  return sendList(reply, await service.reads.members(id, { ...scopeIn(query), ...start, pageLimit }), '}')
}

async function listEvents({ service, query }: Call) {
  const { offset: pageOffset, limit: pageLimit, token: pageToken } = polisPage(query)
  const start = pageToken === undefined ? { pageOffset } : { pageToken }
  const rows = await service.deliveryLog.list({ ...scopeIn(query), ...start, pageLimit })
  const data: unknown[] = []
  let next = await rows.next()
  for (; next.done !== true; next = await rows.next()) data.push(polisLog(JSON.parse(next.value)))
  return next.value === undefined ? { data } : { data, pageToken: next.value }
}

/** An unknown entry is null to Polis. */
async function getEvent({ service, query, id }: Call) {
  try {
    return { data: polisLog(JSON.parse(await service.deliveryLog.get(id, scopeIn(query)))) }
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'resource-not-found') return { data: null }
    throw error
  }
}

/** All directories of a tenant for a product. */
async function listDirectories(call: Call) {
  const { tenant, product } = call.query
  if (isMissing(tenant) || isMissing(product)) refuse('Please provide tenant and product')
  return sendDirectories(call, { ...polisPage({}), limit: Number.MAX_SAFE_INTEGER }, '}')
}

async function listProductDirectories(call: Call) {
  if (isMissing(call.query['product'])) refuse('Please provide a product')
  return sendDirectories(call, polisPage(call.query), listEnd)
}

async function sendDirectories({ service, request, reply, query }: Call, page: PolisPage, end: string) {
  const { tenant, product } = query
  const scope: DirectoryScope = parseInput(ScopeInput, { tenant, product })
  const view = (shown: DirectoryView) => polisDirectory(request.keyScope.readOnly ? withoutSecrets(shown) : shown)
  const list: NewestFirst = {
    total: await service.totals.directories(scope),
    async read({ pageOffset: offset, pageLimit: limit }) {
      const found = await service.directories.page(scope, { offset, limit })
      return { rows: found.map((directory) => JSON.stringify(view(service.directoryView(directory)))) }
    },
    translate: (row) => row,
  }
  return sendNewestFirst(reply, list, page, end)
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

/** The links of a product that are not revoked, newest first. */
async function listSetupLinks({ service: { setupLinks }, request, query }: Call) {
  const { tenant, product } = query
  if (isMissing(product)) refuse('Please provide a product')
  const scope = parseInput(ScopeInput, { tenant, product })
  const page = polisPage(query)
  let before = page.token === undefined ? undefined : positionIn(page.token)
  let skipped = page.token === undefined ? page.offset : 0
  const shown: SetupLink[] = []
  for (let isMore = true; isMore && shown.length <= page.limit; ) {
    const part = await setupLinks.newest(scope, { before, limit: linksPerRead })
    const valid = part.filter(({ revokedAt }) => revokedAt === undefined)
    shown.push(...valid.slice(skipped))
    skipped = Math.max(0, skipped - valid.length)
    before = part.at(-1)
    isMore = part.length === linksPerRead
  }
  const rows = shown.slice(0, page.limit)
  const last = rows.at(-1)
  const data = rows.map((link) => {
    const view = setupLinks.view(link)
    return polisSetupLink({ ...(request.keyScope.readOnly ? withoutLinkSecrets(view) : view) })
  })
  return shown.length > page.limit && last !== undefined
    ? { data, pageToken: writePageToken([last.createdAt, last.id]) }
    : { data }
}

const linksPerRead = 100

/** @throws DirectoryError `invalid-input` */
function positionIn(token: string) {
  const [createdAt, id] = readPageToken(token, isPosition)
  return { createdAt, id }
}

function isPosition(value: unknown): value is readonly [createdAt: number, id: string] {
  if (!Array.isArray(value)) return false
  const [createdAt, id]: unknown[] = value
  return Number.isSafeInteger(createdAt) && typeof id === 'string'
}
