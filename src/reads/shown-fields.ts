import type { DirectoryScope } from '../directory/directory.ts'
import { isOfProduct } from '../directory/directory.ts'
import type { StoredResource } from '../directory/resource.ts'
import { dateTimeText } from '../scim/date-time.ts'

/** The directory of listed rows, which each row names, and its tenant if the scope has several; else undefined. */
export interface RowsOwner {
  readonly directoryId: string
  readonly tenant: string | undefined
}

/** The kinds of resources that are listed. */
export type ResourceKind = 'user' | 'group'

/** The owner of rows of a scope: their tenant is shown if the scope may have several. */
export function ownerIn(scope: DirectoryScope, directoryId: string, tenant: string): RowsOwner {
  return { directoryId, tenant: isOfProduct(scope) ? tenant : undefined }
}

/** The text of the fields that the API shows of a user or group beside those of events. */
export function shownFieldsText(
  { createdAt, updatedAt }: Pick<StoredResource, 'createdAt' | 'updatedAt'>,
  { directoryId, tenant }: RowsOwner,
): string {
  const times = `,"created_at":"${dateTimeText(createdAt)}","updated_at":"${dateTimeText(updatedAt)}"`
  const ofTenant = tenant === undefined ? '' : `,"tenant":${JSON.stringify(tenant)}`
  return `${times}${ofTenant},"directory_id":${JSON.stringify(directoryId)}`
}
