import type { PolisReply, PolisRequest } from './http.ts'
import { failure } from './http.ts'
import type { PolisControllers } from './library.ts'

/** What the library's methods return. */
interface Outcome {
  readonly data: unknown
  readonly error?: { readonly message: string; readonly code: number } | null
  readonly pageToken?: string | undefined
}

type Controller = PolisControllers['directorySyncController']

/** Answers `/api/v1/dsync/…` but for setup links. */
export async function provisioningRoute({ directorySyncController }: PolisControllers, request: PolisRequest) {
  const [what, id, below] = request.path.slice(3)
  switch (what) {
    case undefined:
      return directoriesRoute(directorySyncController, request)
    case 'product':
      return envelope(
        await directorySyncController.directories.filterBy({ product: productOf(request), ...pageOf(request) }),
      )
    case 'users':
    case 'groups':
    case 'events':
      return inDirectory(directorySyncController, request, (scope) =>
        what === 'users'
          ? usersRoute(directorySyncController, request, id, scope)
          : what === 'groups'
            ? groupsRoute(directorySyncController, request, id, below, scope)
            : eventsRoute(directorySyncController, request, id, scope),
      )
    case 'cron':
      return cronRoute(directorySyncController, id)
    default:
      return directoryRoute(directorySyncController, request, what)
  }
}

async function directoriesRoute({ directories }: Controller, { method, query, body }: PolisRequest) {
  if (method === 'POST') {
    const created = await directories.create(body)
    return envelope(created, 201)
  }
  const { tenant, product } = query
  if (tenant === undefined || product === undefined) return failure(400, 'Please provide tenant and product')
  return envelope(await directories.getByTenantAndProduct(tenant, product))
}

async function directoryRoute({ directories }: Controller, { method, body }: PolisRequest, id: string) {
  if (method === 'PATCH') return envelope(await directories.update(id, withBooleans(body)))
  if (method !== 'DELETE') return envelope(await directories.get(id))
  await directories.delete(id)
  return { status: 200, body: { data: {} } }
}

interface Scope {
  readonly tenant: string
  readonly product: string
  readonly directoryId: string | undefined
}

/** Finds the tenant and product that a request means, as Polis does: they are given, or those of the directory. */
async function inDirectory(
  { directories }: Controller,
  { query }: PolisRequest,
  respond: (scope: Scope) => Promise<PolisReply>,
): Promise<PolisReply> {
  const { tenant = '', product = '', directoryId } = query
  if (directoryId === undefined || (tenant !== '' && product !== '')) return respond({ tenant, product, directoryId })
  const { data: directory } = await directories.get(directoryId)
  if (!directory) return failure(404, 'Directory not found.')
  return respond({ tenant: directory.tenant, product: directory.product, directoryId })
}

async function usersRoute({ users }: Controller, request: PolisRequest, id: string | undefined, scope: Scope) {
  const scoped = users.setTenantAndProduct(scope.tenant, scope.product)
  return envelope(
    id === undefined ? await scoped.getAll({ ...pageOf(request), ...narrowed(scope) }) : await scoped.get(id),
  )
}

async function groupsRoute(
  { groups }: Controller,
  request: PolisRequest,
  id: string | undefined,
  below: string | undefined,
  scope: Scope,
) {
  const scoped = groups.setTenantAndProduct(scope.tenant, scope.product)
  if (id === undefined) return envelope(await scoped.getAll({ ...pageOf(request), ...narrowed(scope) }))
  if (below !== 'members') return envelope(await scoped.get(id))
  const { data } = await scoped.getGroupMembers({ groupId: id, ...pageOf(request) })
  return { status: 200, body: { data } }
}

async function eventsRoute({ webhookLogs }: Controller, request: PolisRequest, id: string | undefined, scope: Scope) {
  const scoped = webhookLogs.setTenantAndProduct(scope.tenant, scope.product)
  if (request.method === 'DELETE') {
    await scoped.deleteAll(scope.directoryId ?? '')
    return { status: 200, body: { data: null } }
  }
  if (id !== undefined) return { status: 200, body: { data: await scoped.get(id) } }
  return envelope(await scoped.getAll({ ...pageOf(request), ...narrowed(scope) }))
}

async function cronRoute({ events, sync }: Controller, job: string | undefined) {
  if (job === 'process-events') {
    await events.batch.process()
    return { status: 200, body: { message: 'Processing started' } }
  }
  if (job !== 'sync-google') return failure(404, 'Not found')
  await sync()
  return { status: 200, body: { message: 'Sync started' } }
}

function productOf({ query: { product } }: PolisRequest): string {
  if (product === undefined) throw new Error('Please provide a product')
  return product
}

/** The page that a query asks for, by either name of its parameters. */
export function pageOf({ query }: PolisRequest) {
  const offset = query['pageOffset'] ?? query['offset']
  const limit = query['pageLimit'] ?? query['limit']
  const pageToken = query['pageToken']
  return {
    ...(offset === undefined ? {} : { pageOffset: Number.parseInt(offset, 10) }),
    ...(limit === undefined ? {} : { pageLimit: Number.parseInt(limit, 10) }),
    ...(pageToken === undefined ? {} : { pageToken }),
  }
}

function narrowed({ directoryId }: Scope) {
  return directoryId === undefined ? {} : { directoryId }
}

function withBooleans(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = ['deactivated', 'log_webhook_events'].filter((name) => name in body)
  return {
    ...body,
    ...Object.fromEntries(names.map((name) => [name, ![false, 'false'].includes(body[name] as never)])),
  }
}

function envelope({ data, error, pageToken }: Outcome, status = 200): PolisReply {
  if (error) return { status: error.code, body: { error } }
  return { status, body: { data, error: null, ...(pageToken === undefined ? {} : { pageToken }) } }
}
