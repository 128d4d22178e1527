import { SettingsError } from '../../app/settings.ts'

/** An error as lines for the terminal: its message, or every invalid setting. */
export function errorText(error: unknown): string {
  if (!(error instanceof SettingsError)) return `${error instanceof Error ? error.message : String(error)}\n`
  const list = error.problems.map((problem) => `  - ${problem}`).join('\n')
  return `Rollcall cannot start with these settings:\n${list}\n`
}
