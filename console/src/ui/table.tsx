import { Button, Group, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import type { Rows } from '../api/queries.ts'
import { useTexts } from '../texts/texts.ts'
import { Loaded, LoadingRows } from './states.tsx'

export interface Column<T> {
  readonly title: string
  readonly cell: (row: T) => ReactNode
  readonly align?: 'right'
  /** Left out where the page is narrow. */
  readonly isSecondary?: boolean
}

interface DataTableProps<T> {
  /** The name of the items in the table. */
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
}

/** A table that becomes a list of cards where the page is narrow. */
export function DataTable<T>({ label, columns, rows, keyOf }: DataTableProps<T>) {
  return (
    <Table className="data-table" highlightOnHover verticalSpacing={9} aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ title, align }) => (
            <Table.Th key={title} ta={align} scope="col">
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {columns.map(({ title, cell, align, isSecondary }) => (
              <Table.Td key={title} data-label={title} data-secondary={isSecondary} ta={align}>
                <div className="cell">{cell(row)}</div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

interface RowsQuery<T> {
  readonly data: Rows<T> | undefined
  readonly error: Error | null
  readonly isPending: boolean
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  fetchNextPage(): unknown
  refetch(): unknown
}

interface PagedTableProps<T> extends Omit<DataTableProps<T>, 'rows'> {
  readonly query: RowsQuery<T>
  /** Shown when there is no row: a page of a long search may have none, although more pages follow. */
  readonly empty: ReactNode
}

/** A list that is read page by page, as far as the reader scrolls. */
export function PagedTable<T>({ query, empty, ...table }: PagedTableProps<T>) {
  const texts = useTexts()
  return (
    <Loaded query={query} loading={<LoadingRows />}>
      {(rows) => (
        <>
          {rows.length === 0 ? empty : <DataTable {...table} rows={rows} />}
          {rows.length === 0 && !query.hasNextPage ? null : (
            <Group justify="space-between" mt="sm">
              <Text size="xs" c="dimmed" role="status">
                {texts.lists.shown(rows.length, query.hasNextPage, rows.total)}
              </Text>
              {query.hasNextPage ? <MoreButton query={query} /> : null}
            </Group>
          )}
        </>
      )}
    </Loaded>
  )
}

/** Reads the next page when it is pressed, or when the reader has scrolled to it, unless the list is a part of a page. */
function MoreButton({
  query: { fetchNextPage, isFetchingNextPage },
}: {
  readonly query: Pick<RowsQuery<unknown>, 'fetchNextPage' | 'isFetchingNextPage'>
}) {
  const texts = useTexts()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const element = button.current
    if (element === null || isFetchingNextPage || element.closest('.section') !== null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting) && window.scrollY > 0) fetchNextPage()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [fetchNextPage, isFetchingNextPage])
  return (
    <Button ref={button} size="xs" variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
      {texts.lists.more}
    </Button>
  )
}
