import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import type { Options } from '../options.ts'
import type { Row } from './row.ts'

/** The start of a run, and the load of the machine at that time. */
export interface Circumstances {
  readonly startedAt: Date
  readonly loadBefore: number
}

export function circumstances(): Circumstances {
  return { startedAt: new Date(), loadBefore: loadavg()[0] ?? 0 }
}

const folder = join(import.meta.dirname, '..', 'results')

/** Writes the figures and the circumstances as JSON; returns the file name. */
export async function writeResults(
  rows: readonly Row[],
  options: Options,
  { startedAt, loadBefore }: Circumstances,
): Promise<string> {
  const file = options.jsonFile ?? join(folder, `${startedAt.toISOString().replaceAll(':', '-')}.json`)
  const machine = { node: process.version, cpus: cpus().map(({ model }) => model), memoryBytes: totalmem(), loadBefore }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify({ startedAt, machine, options, rows }, undefined, 2)}\n`)
  return file
}

/** Writes a chart beside the file of the figures; returns its name. */
export async function writeChart(file: string, svg: string): Promise<string> {
  const chart = file.replace(/(\.json)?$/, '.svg')
  await writeFile(chart, svg)
  return chart
}
