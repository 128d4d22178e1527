import type { RequestView } from '../../diagnostics/requests/view.ts'
import { plainText } from '../../directory/audit.ts'
import { fitToWidth, padToWidth } from '../terminal/display-width.ts'
import type { Palette } from '../terminal/palette.ts'

/** The widths of the columns; with the spaces between them, the path and the subject share the rest of the line. */
const widths = { time: 19, method: 6, status: 3, subject: 24 } as const
const leastPath = 16
/** The width for an output that is not a terminal, such as a file. */
const unlimited = 10_000

/** One line for a request, followed by one with the reason of a refusal. */
export function requestLine(request: RequestView, palette: Palette, columns = unlimited): string {
  const { method, status, subject, detail } = request
  const time = request.at.slice(0, widths.time).replace('T', ' ')
  const used = widths.time + widths.method + widths.status + widths.subject + 4
  const path = fitToWidth(plainText(readable(request.path), 500), Math.max(leastPath, columns - used))
  const parts = [
    palette.dim(time),
    padToWidth(plainText(method, widths.method), widths.method),
    painted(status, palette)(String(status)),
    padToWidth(fitToWidth(plainText(subject ?? '-', 500), widths.subject), widths.subject),
    path,
  ]
  if (status < 400 || detail === null) return `${parts.join(' ').trimEnd()}\n`
  const reason = fitToWidth(plainText(detail, 1_000), columns - widths.time - 1)
  return `${parts.join(' ').trimEnd()}\n${' '.repeat(widths.time + 1)}${palette.red(reason)}\n`
}

function painted(status: number, palette: Palette): (text: string) => string {
  if (status >= 500) return (text) => palette.bold(palette.red(text))
  return status >= 400 ? palette.red : palette.green
}

/** A readable path with its query. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll('+', ' '))
  } catch {
    return path
  }
}
