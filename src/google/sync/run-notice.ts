import type { Directory } from '../../directory/directory.ts'
import type { NoticeDraft } from '../../directory/operator-notice.ts'
import type { SyncRunEnd } from '../google-store.ts'

/** The notice to the operator at the end of a sync run: it failed, or holds deletions. */
export function noticeAfterRun(
  directory: Directory,
  run: { readonly id: string; readonly held: number },
  { state, error, finishedAt: at }: SyncRunEnd,
): NoticeDraft | undefined {
  if (state === 'completed') return undefined
  const details = { run_id: run.id, reason: error ?? null }
  const about = { directory, at }
  if (state === 'failed') {
    return { ...about, type: 'sync.failed', message: `A sync with Google failed: ${error ?? 'see the run.'}`, details }
  }
  const message = `A sync with Google holds ${run.held} deletions: check them, then approve the run.`
  return { ...about, type: 'sync.held', message, details: { ...details, held: run.held } }
}
