export { CallFailed } from '../simulate/scim-call.ts'
export type { IdentityProvider, PersonInput, ProvisionedUser, PushedGroup } from './identity-provider.ts'
export type { ProviderName, TestDirectory, TestDirectoryOptions } from './test-directory.ts'
export { createTestDirectory } from './test-directory.ts'
