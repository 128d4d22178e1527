import { styleText } from 'node:util'
import type { CommandIo } from './io.ts'

const styles = ['bold', 'dim', 'green', 'red', 'yellow', 'cyan'] as const

/** Functions that colour a text, or leave it as it is. */
export type Palette = Record<(typeof styles)[number], (text: string) => string>

/** The colours for an output: plain text unless it is a terminal and `NO_COLOR` is unset (https://no-color.org). */
export function createPalette({ stdout, env }: Pick<CommandIo, 'stdout' | 'env'>): Palette {
  const coloured = stdout.isTTY === true && !env['NO_COLOR']
  const paint = (style: (typeof styles)[number]) => (text: string) =>
    coloured ? styleText(style, text, { validateStream: false }) : text
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    green: paint('green'),
    red: paint('red'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  }
}
