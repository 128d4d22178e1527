import type { Conformance, Requirement } from './requirement.ts'
import { isTested } from './requirement.ts'

const introduction = `# Conformance

The MUST and SHOULD requirements of RFC 7643, RFC 7644 and RFC 9865 for a service provider, in our words, and the test that
covers each. All tests run over HTTP, on SQLite and on PostgreSQL. \`npm run conformance\` generates this page from the tests;
a test fails when it is out of date.
`

/** The text of docs/conformance.md. */
export function conformancePage(all: readonly Conformance[]): string {
  return [introduction, ...all.map(sectionOf)].join('\n')
}

function sectionOf({ rfc, title, folder, requirements }: Conformance): string {
  const rows = requirements.map((requirement) => rowOf(rfc, requirement))
  const head = '| section | level | requirement | covered by |\n| --- | --- | --- | --- |'
  const tested = requirements.filter(isTested).length
  const counts = `${requirements.length} requirements, ${tested} of them covered by the tests in \`test/service/conformance/${folder}\`.`
  return `## RFC ${rfc}: ${title}\n\n${counts}\n\n${head}\n${rows.join('\n')}\n`
}

function rowOf(rfc: number, requirement: Requirement): string {
  const { section, level, text, coveredBy } = requirement
  const coverage = isTested(requirement)
    ? requirement.coveredBy.test
    : `*${'because' in coveredBy ? coveredBy.because : ''}*`
  const link = `[${section}](https://www.rfc-editor.org/rfc/rfc${rfc}#section-${section})`
  return `| ${link} | ${level} | ${cell(text)} | ${cell(coverage)} |`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
