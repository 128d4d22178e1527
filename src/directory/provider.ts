/** The provider types with their labels, as `GET /providers` returns them. */
export const providers = {
  'okta-scim-v2': 'Okta SCIM v2.0',
  'azure-scim-v2': 'Entra ID SCIM v2.0',
  'onelogin-scim-v2': 'OneLogin SCIM v2.0',
  'jumpcloud-scim-v2': 'JumpCloud SCIM v2.0',
  'pingone-scim-v2': 'PingOne SCIM v2.0',
  'pingfederate-scim-v2': 'PingFederate SCIM v2.0',
  'rippling-scim-v2': 'Rippling SCIM v2.0',
  'cyberark-scim-v2': 'CyberArk SCIM v2.0',
  'sailpoint-scim-v2': 'SailPoint SCIM v2.0',
  'generic-scim-v2': 'SCIM Generic v2.0',
  extdir: 'Google Workspace',
} as const

export type DirectoryType = keyof typeof providers

export function isDirectoryType(text: string): text is DirectoryType {
  return Object.hasOwn(providers, text)
}

export const directoryTypes: readonly DirectoryType[] = Object.keys(providers).filter(isDirectoryType)
