import { readFile } from 'node:fs/promises'

/** What the kernel counts in: hundredths of a second, on every Linux that Node.js runs on. */
const msPerTick = 10

/**
 * How much processor time a process has used, all its threads together, in milliseconds; undefined where the system does
 * not tell (only Linux does).
 */
export async function processorMs(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name of the program comes first, in parentheses, and may hold anything.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [Number(fields?.[11]), Number(fields?.[12])]
  return Number.isNaN(user + system) ? undefined : (user + system) * msPerTick
}
