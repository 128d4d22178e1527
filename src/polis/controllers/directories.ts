import type { DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryView } from '../../directory/directory-view.ts'
import { scimPath as ownPath } from '../../directory/directory-view.ts'
import { CreateDirectoryInput, UpdateDirectoryInput } from '../../directory/inputs.ts'
import { caller } from '../../library/parts.ts'
import {
  allRows,
  changedDirectoryFields,
  directoryTypeOf,
  newDirectoryFields,
  newDirectoryProblem,
  polisDirectories,
  polisDirectory,
} from '../compat/directories.ts'
import { polisPage } from '../compat/paging.ts'
import type { ControllerParts } from './parts.ts'
import { listOf, PolisError, responseOf } from './response.ts'
import type { Directory, DirectoryType, PaginationParams, Response } from './types.ts'

export interface CreateDirectory {
  name?: string
  tenant: string
  product: string
  webhook_url?: string
  webhook_secret?: string
  type?: DirectoryType
  google_domain?: string
  google_access_token?: string
  google_refresh_token?: string
}

export type UpdateDirectory = Partial<
  Pick<
    Directory,
    'name' | 'log_webhook_events' | 'webhook' | 'deactivated' | 'google_access_token' | 'google_refresh_token'
  >
> & { webhook_url?: string; webhook_secret?: string }

/** An index of Polis; only that of products has a count here. */
export interface Index {
  name: string
  value: string
}

const notFound = { 404: 'Directory configuration not found.' }
const missing = () => new PolisError('Missing required parameters.', 400)

/** `directorySyncController.directories` */
export function directoriesController(parts: ControllerParts) {
  const { service } = parts
  const { directories, directoryView, retryDelivery, totals } = service
  const shown = (view: DirectoryView) => withProductRoutes(view, parts)
  const list = (scope: DirectoryScope, page: PaginationParams = {}) =>
    listOf<Directory>(() => polisDirectories(service, scope, polisPage({ ...page }), shown))

  return {
    create: (params: CreateDirectory): Promise<Response<Directory>> =>
      responseOf(async () => {
        const problem = newDirectoryProblem({ ...params })
        if (problem !== undefined) throw new PolisError(problem, 400)
        const fields = known(newDirectoryFields({ ...params }), CreateDirectoryInput)
        return polisDirectory(shown(directoryView(await directories.create(fields, caller))))
      }),
    get: (id: string): Promise<Response<Directory>> =>
      responseOf(async () => {
        if (!id) throw missing()
        return polisDirectory(shown(directoryView(await directories.get(id))))
      }, notFound),
    update: (id: string, params: UpdateDirectory): Promise<Response<Directory>> =>
      responseOf(async () => {
        if (!id) throw missing()
        const fields = known(changedDirectoryFields({ ...params }), UpdateDirectoryInput)
        const isChange = Object.keys(fields).length > 0
        const directory = await (isChange ? directories.update(id, fields, caller) : directories.get(id))
        if (isChange) await retryDelivery(id, fields)
        return polisDirectory(shown(directoryView(directory)))
      }, notFound),
    /** All directories of a tenant for a product, newest first. */
    getByTenantAndProduct: (tenant: string, product: string): Promise<Response<Directory[]>> =>
      listOf(async () => {
        if (!(tenant && product)) throw missing()
        return polisDirectories(service, { tenant, product }, allRows, shown)
      }),
    getAll: (params?: PaginationParams): Promise<Response<Directory[]>> => list({}, params),
    /** The directories of a product, or of a provider. */
    async filterBy(
      params: PaginationParams & { product?: string; provider?: DirectoryType } = {},
    ): Promise<Response<Directory[]>> {
      const { product, provider, ...page } = params
      if (product) return list({ product }, page)
      const type = directoryTypeOf(provider)
      if (!provider || type === undefined)
        return { data: null, error: { message: 'Please provide a product or provider.', code: 400 } }
      const { offset, limit } = polisPage(page)
      const found = await Array.fromAsync(directories.all({}))
      const rows = found.filter(({ directoryType }) => directoryType === type).reverse()
      return {
        data: rows.slice(offset, offset + limit).map((one) => polisDirectory(shown(directoryView(one)))),
        error: null,
      }
    },
    delete: (id: string): Promise<Response<null>> =>
      responseOf(async () => {
        if (!id) throw missing()
        await directories.delete(id, caller)
        return null
      }, notFound),
    getCount: (index?: Index): Promise<number> =>
      totals.directories(index === undefined ? {} : { product: index.value }),
  }
}

/** A directory with the addresses of the product's own routes. */
export function withProductRoutes(view: DirectoryView, { scimPath, google }: ControllerParts): DirectoryView {
  const { path, endpoint, secret } = view.scim
  if (view.type === 'extdir' && google.authorizationUrl !== undefined)
    return { ...view, extdir_authorization_url: google.authorizationUrl }
  if (path === '') return view
  const base = endpoint.slice(0, -ownPath(view.id).length)
  const ours = `${scimPath}/${view.id}`
  return { ...view, scim: { path: ours, secret, endpoint: base + ours } }
}

/** The fields that an input has; Polis ignores others. */
function known(fields: Readonly<Record<string, unknown>>, { properties }: { readonly properties: object }) {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => Object.hasOwn(properties, name) && value !== undefined),
  )
}
