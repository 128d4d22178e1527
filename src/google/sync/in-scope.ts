import type { Context } from './context.ts'
import type { Seen } from './seen.ts'

/** Those of a page that are shown, each once; they are seen with this. */
export function inScope<T extends { readonly id: string }>(
  { isInScope, leaveOut }: Context,
  seen: Seen,
  page: readonly T[],
  emailOf: (item: T) => string,
): T[] {
  const shown = new Map<string, T>()
  for (const item of page) {
    if (isInScope(emailOf(item))) shown.set(item.id, item)
    else leaveOut(item.id)
  }
  for (const id of shown.keys()) seen.add(id)
  return [...shown.values()]
}
