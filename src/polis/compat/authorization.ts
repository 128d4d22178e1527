/**
 * The `Authorization` header with the scheme of API keys: to Polis, the second word is the key whatever the first one is. The
 * credentials of admins of Rollcall stay as they are.
 */
export function withApiKeyScheme(header: string): string {
  const [scheme = '', key = ''] = header.trim().split(/ +/)
  const isOfAdmin = /^id=/i.test(scheme) || (/^bearer$/i.test(scheme) && key.split('.').length === 3)
  return key === '' || isOfAdmin ? header : `Api-Key ${key}`
}
