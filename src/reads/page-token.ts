import { DirectoryError } from '../directory/errors.ts'

/**
 * Writes an opaque page token. It only holds a position, as JSON: what that leads to is checked against the scope of the
 * request, so that a token cannot be used to read another directory.
 */
export function writePageToken(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/**
 * Reads the position that a page token holds.
 *
 * @throws DirectoryError `invalid-input` when the text is not a token of this list
 */
export function readPageToken<P>(text: string, isPosition: (value: unknown) => value is P): P {
  const position = parseJson(Buffer.from(text, 'base64url').toString())
  if (isPosition(position)) return position
  const message = 'pageToken: send the pageToken of the previous response, unchanged.'
  throw new DirectoryError('invalid-input', message, [{ field: 'pageToken', message }])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
