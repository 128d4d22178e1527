import type { AdminPage } from '../../admin/paging.ts'

/** A page in the success envelope, with the token of the next one beside the data. */
export function pageAnswer<T>({ rows: data, pageToken }: AdminPage<T>) {
  return pageToken === undefined ? { data, error: null } : { data, pageToken, error: null }
}
