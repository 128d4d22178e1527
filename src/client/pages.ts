interface Page<Row> {
  readonly data: readonly Row[]
  readonly pageToken?: string
}

/** The options for reading a list. */
export interface ListOptions {
  /** Rows per request, 1 to 1000. Default: 200. */
  readonly pageSize?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** The paging of one request, to be sent with its query. */
export interface PageQuery {
  readonly pageLimit: number
  readonly pageToken?: string
}

/** Every row of a list; a page is only requested when its rows are needed. */
export async function* eachRow<Row>(
  read: (page: PageQuery) => Promise<Page<Row>>,
  pageLimit = 200,
): AsyncGenerator<Row, void, undefined> {
  let page = await read({ pageLimit })
  for (;;) {
    yield* page.data
    if (page.pageToken === undefined) return
    page = await read({ pageLimit, pageToken: page.pageToken })
  }
}
