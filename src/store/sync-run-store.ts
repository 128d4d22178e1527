import type { ExtdirStore } from '../google/store.ts'

/** The part of a store that keeps sync runs. */
export type SyncRunStore = Pick<
  ExtdirStore,
  | 'beginSyncRun'
  | 'resumeHeldRun'
  | 'renewSyncRuns'
  | 'recordSyncRun'
  | 'finishSyncRun'
  | 'getSyncRun'
  | 'listSyncRuns'
  | 'heldRun'
  | 'directoriesToSync'
>
