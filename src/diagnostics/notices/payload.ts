import type { Directory } from '../../directory/directory.ts'
import type { NoticeDraft, NoticeWrite } from '../../directory/operator-notice.ts'

/** The stored form of a notice, with its body in the form that Standard Webhooks recommends. */
export function noticeOf({ type, about, directory, at, message, details }: NoticeDraft, id: string): NoticeWrite {
  const { id: directoryId, name, tenant, product } = directory
  const data = { directory_id: directoryId, directory_name: name, tenant, product, message, ...details }
  const payload = JSON.stringify({ type, timestamp: iso(at), data })
  return { id, directoryId, type: about === undefined ? type : `${type} ${about}`, createdAt: at, payload }
}

/** The directory that a stored notice is about. */
export function directoryOf({ directoryId: id, payload }: NoticeWrite): Pick<Directory, 'id' | 'tenant' | 'product'> {
  const { data }: { readonly data: Pick<Directory, 'tenant' | 'product'> } = JSON.parse(payload)
  return { id, tenant: data.tenant, product: data.product }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
