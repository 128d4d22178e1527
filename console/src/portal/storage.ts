/** Stands in for the storage of the browser where that is blocked, as it may be in frames: it lasts until a reload. */
const memory = new Map<string, string>()

/** What the page remembers: in `session` for this tab, in `local` for this browser. */
function storageOf(area: 'localStorage' | 'sessionStorage') {
  // Reading the property itself throws where storage is blocked.
  const attempt = <T>(act: (storage: Storage) => T, otherwise: T): T => {
    try {
      return act(window[area])
    } catch {
      return otherwise
    }
  }
  return {
    get: (key: string): string | null => attempt((storage) => storage.getItem(key), null) ?? memory.get(key) ?? null,
    set(key: string, value: string): void {
      memory.set(key, value)
      attempt((storage) => storage.setItem(key, value), undefined)
    },
    remove(key: string): void {
      memory.delete(key)
      attempt((storage) => storage.removeItem(key), undefined)
    },
  }
}

export const session = storageOf('sessionStorage')
export const local = storageOf('localStorage')
