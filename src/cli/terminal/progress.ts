import { padToWidth } from './display-width.ts'
import type { CommandIo } from './io.ts'
import { createPalette } from './palette.ts'

/** The progress of one step of a longer task. */
export interface Step {
  readonly label: string
  readonly done: number
  readonly total: number
  /** Shown after the numbers, e.g. `24 calls`. */
  readonly note: string
}

export interface ProgressDisplay {
  show(step: Step): void
  /** Ends the current line, so that the next output starts on a new one. */
  end(): void
}

const barColumns = 24
const labelColumns = 22
const redrawMs = 50
const eraseLine = '\r\u001b[2K'

/** On a terminal, a bar that is redrawn in place; elsewhere, one line for each step once it is complete. */
export function createProgress(io: Pick<CommandIo, 'stdout' | 'env'>): ProgressDisplay {
  return io.stdout.isTTY === true ? createBar(io) : createLines(io)
}

function createLines({ stdout }: Pick<CommandIo, 'stdout'>): ProgressDisplay {
  return {
    show(step) {
      if (step.done === step.total) stdout.write(`  ${padToWidth(step.label, labelColumns)}${describe(step)}\n`)
    },
    end() {},
  }
}

function createBar(io: Pick<CommandIo, 'stdout' | 'env'>): ProgressDisplay {
  const palette = createPalette(io)
  let open = false
  let drawnAt = Number.NEGATIVE_INFINITY
  const draw = (step: Step) => {
    const filled = step.total === 0 ? barColumns : Math.round((step.done / step.total) * barColumns)
    const bar = palette.green('█'.repeat(filled)) + palette.dim('░'.repeat(barColumns - filled))
    io.stdout.write(`${eraseLine}  ${padToWidth(step.label, labelColumns)}${bar}  ${describe(step)}`)
  }
  const end = () => {
    if (open) io.stdout.write('\n')
    open = false
  }
  return {
    show(step) {
      const complete = step.done === step.total
      if (!complete && performance.now() - drawnAt < redrawMs) return
      drawnAt = performance.now()
      open = true
      draw(step)
      if (complete) end()
    },
    end,
  }
}

function describe({ done, total, note }: Step): string {
  const figures = `${String(done).padStart(String(total).length)}/${total}`
  return note === '' ? figures : `${figures}  ${note}`
}
