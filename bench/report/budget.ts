import type { EngineName } from '../engines/engine.ts'

/** The performance budget: ratios to the bare engine, rates, milliseconds, seconds and megabytes. */
export const budget = {
  createOfBare: (engine: EngineName, connections: number): number =>
    engine === 'sqlite' && connections <= 8 ? 0.6 : 0.45,
  changeOfBare: (connections: number): number | undefined => (connections <= 8 ? 0.5 : undefined),
  readOfBare: 0.5,
  largeOfSmall: 1.3,
  requestLogOnOfOff: 0.9,
  tokenOfSecret: 0.95,
  membersPerSecond: 200_000,
  initialSyncSeconds: 6,
  residentMb: 256,
  slowOfFastEndpoint: 1.1,
  startSeconds: 1,
  idleDeliveryP50Ms: 10,
  backlogResidentMb: 256,
  firstOfUnchangedPull: 10,
  backlogOfEmpty: 1.5,
  neighbourP99Ms: 50,
  neighbourMaxMs: 250,
  blockMs: 50,
  blockOfLargestBodyMs: 60,
  membershipEventBytes: 16_384,
  besideHangingMs: 1_000,
  idleStatementMs: 5,
  idleBlockMs: 5,
  noticeP50Ms: 150,
  feedStreamP50Ms: 20,
  stopMs: 1_000,
  scopeMs: 100,
}
