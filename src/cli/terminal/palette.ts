import { styleText } from 'node:util'
import type { CommandIo } from './io.ts'

const styles = ['bold', 'dim', 'green', 'red', 'yellow', 'cyan'] as const

/** Functions that style a text, or return it unchanged. */
export type Palette = Record<(typeof styles)[number], (text: string) => string>

/**
 * Styles text for an output that is a terminal; elsewhere, and with `NO_COLOR` set (https://no-color.org), text stays
 * plain.
 */
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
