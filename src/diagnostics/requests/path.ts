import { withoutPasswordText } from './passwords.ts'

const maxPathLength = 2_000

/** The parameters of SCIM requests (RFC 7644 §3.4.2) whose values are kept; the values of others could be secrets. */
const keptParameters: ReadonlySet<string> = new Set([
  ...['filter', 'sortby', 'sortorder', 'startindex', 'count', 'attributes', 'excludedattributes'],
])

/**
 * A path with its query as the log keeps it: without the values of unknown parameters and of cursors, and with filters
 * cut after the name of a password.
 */
export function recordedPath(path: string): string {
  return bounded(withoutSecrets(bounded(path)))
}

function withoutSecrets(path: string): string {
  const start = path.indexOf('?')
  if (start === -1) return path
  const parameters = path
    .slice(start + 1)
    .split('&')
    .map(recordedParameter)
  return `${path.slice(0, start)}?${parameters.join('&')}`
}

function recordedParameter(parameter: string): string {
  const end = parameter.indexOf('=')
  const name = end === -1 ? parameter : parameter.slice(0, end)
  if (!keptParameters.has(decoded(name)?.toLowerCase() ?? '')) return end === -1 ? '…' : `${name}=…`
  const value = decoded(parameter.slice(end + 1))
  if (value === undefined) return `${name}=…`
  const kept = withoutPasswordText(value)
  return kept === value ? parameter : `${name}=${encodeURIComponent(kept)}`
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function bounded(text: string): string {
  return text.length > maxPathLength ? `${text.slice(0, maxPathLength)}…`.toWellFormed() : text
}
