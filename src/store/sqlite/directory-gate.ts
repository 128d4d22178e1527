/** Makes the writes to a directory wait while a change in steps is being made to it. Other directories are not affected. */
export interface DirectoryGate {
  /** Starts a write at once when the directory's gate is open, otherwise when it opens. */
  whenOpen<T>(directoryId: string, write: () => Promise<T>): Promise<T>
  /** Closes the gate, once it is open; the returned function opens it. What was queued before is still written first. */
  close(directoryId: string): Promise<() => void>
}

export function createDirectoryGate(): DirectoryGate {
  const closed = new Map<string, Promise<void>>()

  function whenOpen<T>(directoryId: string, write: () => Promise<T>): Promise<T> {
    const opening = closed.get(directoryId)
    return opening === undefined ? write() : opening.then(() => whenOpen(directoryId, write))
  }

  return {
    whenOpen,
    close: (directoryId) =>
      whenOpen(directoryId, () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        closed.set(directoryId, promise)
        return Promise.resolve(() => {
          closed.delete(directoryId)
          resolve()
        })
      }),
  }
}
