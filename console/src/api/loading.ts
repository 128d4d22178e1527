import { healthAddress } from './http.ts'
import { untilReachable, waitFor } from './waiting.ts'

/** A page that was reloaded less than this many milliseconds ago is not reloaded again. */
const minReloadMs = 60_000
const reloadedKey = 'rollcall-reloaded'

/**
 * Loads a part of the application. If its file does not arrive, or is gone because the service was updated while the page was open, the page
 * is reloaded once the service answers: browsers remember that a module could not be loaded, and do not request it again.
 *
 * @param address the address to show after that
 * @throws Error when the part cannot be loaded after a reload either
 */
export function loadPart<T>(load: () => Promise<T>, address = () => window.location.href): Promise<T> {
  return waitFor(load()).catch(async (error: unknown) => {
    await untilReachable(healthAddress())
    if (Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < minReloadMs) throw error
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    window.history.replaceState(null, '', address())
    window.location.reload()
    return new Promise<never>(() => {})
  })
}
