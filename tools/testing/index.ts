export type { RollcallErrorCode } from '../../src/client/error.ts'
export { RollcallError } from '../../src/client/error.ts'
export type {
  IdentityProvider,
  PersonInput,
  ProvisionedUser,
  PushedGroup,
  SimulatedPerson,
} from '../../src/client/testing.ts'
export type { AssertionChanges, FakeEntra, FakeEntraOptions } from '../fake-entra/issuer.ts'
export { startFakeEntra } from '../fake-entra/issuer.ts'
export { CallFailed } from '../simulate/scim-call.ts'
export type { ConnectOptions, ProviderName, TestDirectory, TestDirectoryOptions } from './test-directory.ts'
export { createTestDirectory } from './test-directory.ts'
