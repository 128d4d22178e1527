import { DirectoryError } from '../../directory/errors.ts'

/** Writes the token of the page behind a delivery. It holds a place only: what it leads to is checked against the scope. */
export function writeLogToken(deliveryId: string): string {
  return Buffer.from(deliveryId).toString('base64url')
}

/**
 * The delivery that a page begins behind.
 *
 * @throws DirectoryError `invalid-input` for a text that is no token
 */
export function readLogToken(text: string): string {
  const id = Buffer.from(text, 'base64url').toString()
  if (/^[0-9a-f-]{36}$/.test(id)) return id
  const problem = { field: 'pageToken', message: 'pageToken: send the token of the answer before, unchanged.' }
  throw new DirectoryError('invalid-input', problem.message, [problem])
}
