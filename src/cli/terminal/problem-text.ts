import { SettingsError } from '../../app/settings.ts'

/** What went wrong, in lines for the terminal: every problem of the settings, or the error's own sentence. */
export function problemText(error: unknown): string {
  if (!(error instanceof SettingsError)) return `${error instanceof Error ? error.message : String(error)}\n`
  const list = error.problems.map((problem) => `  - ${problem}`).join('\n')
  return `Rollcall cannot start with these settings:\n${list}\n`
}
