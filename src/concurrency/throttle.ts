import type { Schedule } from './schedule.ts'

export interface ThrottleOptions {
  readonly intervalMs: number
  readonly schedule: Schedule
  /** Called at the end of a spell during which somebody asked. */
  readonly run: (id: string) => void
}

/** Times in which an id is not asked for, whatever happens: once at the end is enough. */
export interface Throttle {
  start(id: string): void
  /** Whether a spell of the id lasts; then its end will ask. */
  defers(id: string): boolean
  /** Ends all of them, and asks no more. */
  close(): void
}

interface Spell {
  readonly cancel: () => void
  isAskedFor: boolean
}

/** Makes the quiet spells of a dispatcher. */
export function createThrottle({ intervalMs: quietMs, schedule, run: ask }: ThrottleOptions): Throttle {
  const spells = new Map<string, Spell>()

  function end(id: string): void {
    const isAskedFor = spells.get(id)?.isAskedFor === true
    spells.delete(id)
    if (isAskedFor) ask(id)
  }

  return {
    start(id) {
      if (!spells.has(id)) spells.set(id, { cancel: schedule(() => end(id), quietMs), isAskedFor: false })
    },
    defers(id) {
      const spell = spells.get(id)
      if (spell !== undefined) spell.isAskedFor = true
      return spell !== undefined
    },
    close() {
      for (const { cancel } of spells.values()) cancel()
      spells.clear()
    },
  }
}
