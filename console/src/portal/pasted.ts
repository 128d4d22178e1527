/** The values that Entra ID shows for workload identity federation, in its order, with the labels of its page. */
export const pastedFields = {
  issuer: { label: 'Issuer', example: 'https://login.microsoftonline.com/…/v2.0' },
  jwks_url: { label: 'JWKS URL', example: 'https://login.microsoftonline.com/…/discovery/v2.0/keys' },
  subject: { label: 'Subject', example: '00000000-0000-0000-0000-000000000000' },
  audience: { label: 'Audience', example: 'api://…/.default' },
} as const

export type PastedField = keyof typeof pastedFields

/** The fields in their order. */
export const pastedNames = Object.keys(pastedFields) as readonly PastedField[]
