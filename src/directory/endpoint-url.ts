import type { FieldProblem } from './errors.ts'

/** What is wrong with a webhook URL; undefined when events can be POSTed to it. Addresses are checked when connecting. */
export function endpointUrlProblem(text: string): FieldProblem | undefined {
  const problem = (message: string) => ({ field: 'webhook_url', message: `webhook_url: ${message}` })
  if (!URL.canParse(text)) return problem('this is not a URL; send one like https://app.example.com/events.')
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return problem('the URL must begin with https:// or http://.')
  if (username !== '' || password !== '') return problem('the URL must not hold a user name or password.')
  return undefined
}
