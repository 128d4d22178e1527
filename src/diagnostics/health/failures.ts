import type { StoredHealth } from './health-store.ts'
import { besideMs } from './health-store.ts'

/** After this many wrong secrets in a row, the secret of the identity provider is considered wrong. */
export const maxRejected = 5

/**
 * Returns whether the failed requests come from another sender than the identity provider: it used the right secret after five
 * of them, and they continued within a day of that. Anybody who knows the id of a directory can send wrong secrets. If
 * the identity provider has not succeeded for a day, its secret may be wrong as well.
 */
export function isSomebodyElse({ failed, failedBeside }: Pick<StoredHealth, 'failed' | 'failedBeside'>): boolean {
  if (failed === undefined || failedBeside === undefined) return false
  return failedBeside.count >= maxRejected && failed.lastAt - failedBeside.at < besideMs
}
