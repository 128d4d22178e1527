import type { Conformance, Requirement } from './requirement.ts'
import { isTested } from './requirement.ts'

const introduction = `# Conformance

What RFC 7643, RFC 7644 and RFC 9865 ask of a service provider with MUST or SHOULD, in our words, and the test that shows it.
Every test runs over HTTP, on SQLite and on PostgreSQL. This page is made from the tests by \`npm run conformance\`, and the
tests fail when it is not what they would make.
`

/** The text of docs/conformance.md. */
export function conformancePage(all: readonly Conformance[]): string {
  return [introduction, ...all.map(sectionOf)].join('\n')
}

function sectionOf({ rfc, title, file, requirements }: Conformance): string {
  const rows = requirements.map((requirement) => rowOf(rfc, requirement))
  const head = '| section | level | what is asked | shown by |\n| --- | --- | --- | --- |'
  const tested = requirements.filter(isTested).length
  const counts = `${requirements.length} requirements, ${tested} of them shown by the tests in \`test/service/conformance/${file}\`.`
  return `## RFC ${rfc}: ${title}\n\n${counts}\n\n${head}\n${rows.join('\n')}\n`
}

function rowOf(rfc: number, requirement: Requirement): string {
  const { section, level, asks, shownBy } = requirement
  const shown = isTested(requirement) ? requirement.shownBy.test : `*${'because' in shownBy ? shownBy.because : ''}*`
  const link = `[${section}](https://www.rfc-editor.org/rfc/rfc${rfc}#section-${section})`
  return `| ${link} | ${level} | ${cell(asks)} | ${cell(shown)} |`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
