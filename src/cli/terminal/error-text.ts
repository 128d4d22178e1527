import { SettingsError } from '../../app/settings.ts'
import { StoreUnavailable } from '../../store/errors.ts'

/** An error as lines for the terminal: its message, or every invalid setting. */
export function errorText(error: unknown): string {
  if (!(error instanceof SettingsError)) return `${messageOf(error)}\n`
  const list = error.problems.map((problem) => `  - ${problem}`).join('\n')
  return `Rollcall cannot start with these settings:\n${list}\n`
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof StoreUnavailable)
    return `${error.message}. Check DATABASE_URL, and that the database is running.`
  const isPackageMissing = 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  return isPackageMissing ? `${error.message}. Run npm ci to install what is missing.` : error.message
}
