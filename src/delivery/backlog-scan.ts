const pageSize = 200

export interface BacklogScanOptions {
  /** The next directories that have undelivered events, by id. */
  readonly read: (after: string, limit: number) => Promise<string[]>
  readonly ask: (directoryId: string) => void
  /** Whether more directories may be asked to queue. */
  readonly hasRoom: () => boolean
  readonly onError: (error: unknown) => void
}

/** Finds the directories that have undelivered events though nobody has called: after a start, or when a call was lost. */
export interface BacklogScan {
  /**
   * Begins a pass over all of them, or goes on with the one under way; false when the store failed, which ends the
   * pass. Never rejects.
   */
  begin(): Promise<boolean>
  /** Goes on with the pass under way as far as there is room. */
  goOn(): Promise<boolean>
}

export function createBacklogScan({ read, ask, hasRoom, onError }: BacklogScanOptions): BacklogScan {
  /** The last directory that the pass has seen; undefined between passes. */
  let after: string | undefined
  let reading: Promise<boolean> | undefined

  async function readPages(): Promise<boolean> {
    try {
      while (after !== undefined && hasRoom()) after = await readPage(after)
      return true
    } catch (error) {
      after = undefined
      onError(error)
      return false
    } finally {
      reading = undefined
    }
  }

  async function readPage(from: string): Promise<string | undefined> {
    const page = await read(from, pageSize)
    for (const id of page) ask(id)
    return page.length < pageSize ? undefined : page.at(-1)
  }

  async function goOn(): Promise<boolean> {
    if (reading === undefined && (after === undefined || !hasRoom())) return true
    reading ??= readPages()
    return reading
  }

  function begin(): Promise<boolean> {
    after ??= ''
    return goOn()
  }

  return { begin, goOn }
}
