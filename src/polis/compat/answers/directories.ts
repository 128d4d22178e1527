import type { DirectoryScope } from '../../../directory/directory.ts'
import type { DirectoryView } from '../../../directory/directory-view.ts'
import type { Listing } from '../../../reads/page.ts'
import type { ServiceParts } from '../../../service-parts.ts'
import type { PolisDirectoryView } from '../directories.ts'
import { polisDirectory } from '../directories.ts'
import { newestFirst } from '../newest-first.ts'
import type { PolisPage } from '../paging.ts'

/** A page of all. */
export const allRows: PolisPage = { offset: 0, limit: Number.MAX_SAFE_INTEGER, token: undefined }

/**
 * Directories of a scope, newest first.
 *
 * @param shown what the caller may see of a directory
 * @throws DirectoryError `invalid-input`
 */
export async function polisDirectories(
  { directories, directoryView, totals }: Pick<ServiceParts, 'directories' | 'directoryView' | 'totals'>,
  scope: DirectoryScope,
  page: PolisPage,
  shown: (view: DirectoryView) => DirectoryView = (view) => view,
): Promise<Listing> {
  const text = (view: PolisDirectoryView) => JSON.stringify(view)
  const list = {
    total: await totals.directories(scope),
    async read({ pageOffset: offset, pageLimit: limit }: { readonly pageOffset: number; readonly pageLimit: number }) {
      const found = await directories.page(scope, { offset, limit })
      return { rows: found.map((directory) => text(polisDirectory(shown(directoryView(directory))))) }
    },
    translate: (row: string) => row,
  }
  return newestFirst(list, page)
}
