import { throwProblems } from '../directory/errors.ts'
import type { FieldProblem } from '../inputs/unknown-fields.ts'

// The hosts are those of Entra ID's clouds; login.windows.net has the keys of the first one as well.
const issuerForm =
  /^https:\/\/(login\.microsoftonline\.com|login\.microsoftonline\.us|login\.partner\.microsoftonline\.cn)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/v2\.0$/
const keysForm =
  /^https:\/\/(login\.microsoftonline\.com|login\.windows\.net|login\.microsoftonline\.us|login\.partner\.microsoftonline\.cn)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/discovery\/v2\.0\/keys$/
const subjectForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const audienceForm = /^(?:api:\/\/)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/\.default)?$/

/** The values that Entra ID shows for workload identity federation. */
export interface EntraFederation {
  readonly issuer: string
  readonly jwks_url: string
  readonly subject: string
  readonly audience: string
}

/**
 * The values without the blanks that come with copying, and in lower case, as assertions have them.
 *
 * @throws DirectoryError `invalid-input` unless they have the forms of Entra ID, and issuer and keys are of one tenant:
 * with others, every assertion would be refused
 */
export function checkedFederation(pasted: EntraFederation): EntraFederation {
  const values = normalized(pasted)
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

function normalized({ issuer, jwks_url, subject, audience }: EntraFederation): EntraFederation {
  const normal = (text: string) => text.trim().toLowerCase()
  return {
    ...{ issuer: normal(issuer), jwks_url: normal(jwks_url) },
    ...{ subject: normal(subject), audience: normal(audience) },
  }
}

function problemIf(isProblem: boolean, field: keyof EntraFederation, form: string): FieldProblem[] {
  return isProblem ? [{ field, message: `${field}: must be ${form}.` }] : []
}

function sameTenant([, , tenant]: RegExpExecArray, keys: RegExpExecArray | null): boolean {
  return keys?.[2] === tenant
}

function sameCloud([, host]: RegExpExecArray, keys: RegExpExecArray | null): boolean {
  return keys?.[1]?.replace('login.windows.net', 'login.microsoftonline.com') === host
}
