import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter()

/** Cuts a text without colour codes to a number of columns; an ellipsis marks the cut. */
export function fitToWidth(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(kept + segment) > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Pads a text with spaces to a number of columns. */
export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)))
}
