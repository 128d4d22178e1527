import { withoutPasswords, withoutPasswordText } from '../requests/passwords.ts'

/** The body of an endpoint's response without passwords: JSON, or another text. Its length must be bounded. */
export function responseWithoutPasswords(body: string): string {
  const parsed = parseJson(body)
  if (typeof parsed !== 'object' || parsed === null) return withoutPasswordText(body)
  return withoutPasswords(parsed).text ?? ''
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
