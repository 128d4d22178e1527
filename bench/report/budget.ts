import type { EngineName } from '../engines/engine.ts'

/** The performance budget: ratios of work and of delays, milliseconds, seconds, megabytes, and instructions of PostgreSQL. */
export const budget = {
  workOfEarlier: 1.1,
  workOfBare: (connections: number): number => (connections === 1 ? 4 : 2.5),
  workOfPolis: (isPatch: boolean, connections: number): number => {
    if (!isPatch) return 1
    return connections === 1 ? 0.65 : 0.4
  },
  largeOfSmall: 1.3,
  requestLogOnOfOff: 1.1,
  tokenOfSecret: 1.05,
  changeWithMapping: 1.25,
  memberWithMapping: 1.45,
  instructions: { 'user create': 1_200_000, 'user PATCH, title': 1_000_000 } as Readonly<Record<string, number>>,
  walBytes: { 'user create': 4_700, 'user PATCH, title': 4_000 } as Readonly<Record<string, number>>,
  membersPerSecond: 200_000,
  initialSyncSeconds: 8,
  residentMb: 384,
  slowOfFastEndpoint: 1.1,
  startSeconds: 2,
  firstOfUnchangedPull: 10,
  backlogOfEmpty: 1.5,
  /** Of others, while the members of a group of 50,000 are changed. */
  neighbourMaxMs: (engine: EngineName): number => (engine === 'sqlite' ? 1_500 : 500),
  healthzMs: 100,
  memberChangeMs: 10_000,
  blockMs: 100,
  membershipEventBytes: 16_384,
  besideHangingMs: 1_000,
  idleMs: 20,
  noticeP50Ms: 150,
  feedStreamP50Ms: 20,
  stopMs: 1_000,
  scopeP99Ms: 250,
  scriptKb: 160,
  headingSeconds: 2.5,
}
