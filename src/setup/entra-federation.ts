import { throwProblems } from '../directory/errors.ts'
import type { FieldProblem } from '../inputs/unknown-fields.ts'

// The hosts are those of Entra ID's clouds; login.windows.net has the keys of the first one as well.
const issuerForm =
  /^https:\/\/(login\.microsoftonline\.com|login\.microsoftonline\.us|login\.partner\.microsoftonline\.cn)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/v2\.0$/i
const keysForm =
  /^https:\/\/(login\.microsoftonline\.com|login\.windows\.net|login\.microsoftonline\.us|login\.partner\.microsoftonline\.cn)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/discovery\/v2\.0\/keys$/i
const subjectForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const audienceForm = /^(?:api:\/\/)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/\.default)?$/i

/** The values that Entra ID shows for workload identity federation. */
export interface EntraFederation {
  readonly issuer: string
  readonly jwks_url: string
  readonly subject: string
  readonly audience: string
}

/**
 * The values without the blanks that come with copying.
 *
 * @throws DirectoryError `invalid-input` unless they have the forms of Entra ID, and issuer and keys are of one tenant:
 * with others, every assertion would be refused
 */
export function checkedFederation(pasted: EntraFederation): EntraFederation {
  const values = trimmed(pasted)
  const issuer = issuerForm.exec(values.issuer)
  const keys = keysForm.exec(values.jwks_url)
  const isOneTenant = issuer === null || (sameTenant(issuer, keys) && sameCloud(issuer, keys))
  throwProblems([
    ...problemIf(issuer === null, 'issuer', 'https://login.microsoftonline.com/<tenant id>/v2.0'),
    ...problemIf(
      keys === null || !isOneTenant,
      'jwks_url',
      'https://login.microsoftonline.com/<tenant id>/discovery/v2.0/keys, of the same tenant as the issuer',
    ),
    ...problemIf(
      !subjectForm.test(values.subject),
      'subject',
      'an object id like 6b29fc40-ca47-1067-b31d-00dd010662da',
    ),
    ...problemIf(
      !audienceForm.test(values.audience),
      'audience',
      'api://<application id>/.default, or the application id',
    ),
  ])
  return values
}

function trimmed({ issuer, jwks_url, subject, audience }: EntraFederation): EntraFederation {
  return {
    ...{ issuer: issuer.trim(), jwks_url: jwks_url.trim() },
    ...{ subject: subject.trim(), audience: audience.trim() },
  }
}

function problemIf(isProblem: boolean, field: keyof EntraFederation, form: string): FieldProblem[] {
  return isProblem ? [{ field, message: `${field}: must be ${form}.` }] : []
}

function sameTenant([, , tenant]: RegExpExecArray, keys: RegExpExecArray | null): boolean {
  return keys?.[2]?.toLowerCase() === tenant?.toLowerCase()
}

function sameCloud([, host]: RegExpExecArray, keys: RegExpExecArray | null): boolean {
  const keysHost = keys?.[1]?.toLowerCase().replace('login.windows.net', 'login.microsoftonline.com')
  return keysHost === host?.toLowerCase()
}
