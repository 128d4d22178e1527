import type { Requirement } from '../../requirement.ts'
import { coveredByFinding, coveredByRejection } from './support/people.ts'

const everyAsk = { section: '3.4.2.2', level: 'MUST' } as const

/** RFC 7644 §3.4.2.2: the operators for text. */
export const filterOperatorRequirements: readonly Requirement[] = [
  coveredByFinding({
    ...everyAsk,
    text: '`eq` matches only equal values.',
    test: 'eq does not match part of a title',
    filter: 'title eq "Guide"',
    finds: ['bob'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`ne` matches values that differ and resources without the attribute.',
    test: 'ne matches users with another title and users without one',
    filter: 'title ne "Guide"',
    finds: ['ann', 'cleo'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`co` matches when the attribute contains the whole value.',
    test: 'co matches text in the middle and at the end, but not separate words',
    filter: 'title co "r Gui" or userType co "actor"',
    finds: ['ann', 'bob'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`co` has no wildcards.',
    test: 'co with a percent sign, an underscore or an asterisk matches only these characters',
    filter: 'title co "T%r" or title co "T_ur" or title co "T*"',
    finds: [],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`sw` matches when the attribute begins with the whole value.',
    test: 'sw matches the beginning but not a later part',
    filter: 'title sw "Gui"',
    finds: ['bob'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`sw` matches text that equals the value.',
    test: 'sw matches the whole text',
    filter: 'title sw "Tour Guide"',
    finds: ['ann'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`ew` matches when the attribute ends with the whole value.',
    test: 'ew matches the end but not an earlier part',
    filter: 'userType ew "tor" or userType ew "Empl"',
    finds: ['bob'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`ew` matches text that equals the value.',
    test: 'ew matches the whole text',
    filter: 'title ew "Tour Guide"',
    finds: ['ann'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`pr` matches an attribute that has a value.',
    test: 'pr matches users with a title',
    filter: 'title pr',
    finds: ['ann', 'bob'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`pr` matches a complex attribute if any sub-attribute has a value.',
    test: 'pr matches users with a non-empty name or address',
    filter: 'name pr or addresses pr',
    finds: ['ann', 'bob'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`pr` matches false.',
    test: 'pr matches the inactive user as well as the active ones',
    filter: 'active pr',
    finds: ['ann', 'bob', 'cleo'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`gt` on text matches what comes later in lexicographic order.',
    test: 'gt matches later names, not the same one',
    filter: 'userName gt "bob"',
    finds: ['cleo'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`ge` on text matches what comes later in lexicographic order, and the same.',
    test: 'ge matches later names and the same one',
    filter: 'userName ge "bob"',
    finds: ['bob', 'cleo'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`lt` on text matches what comes earlier in lexicographic order.',
    test: 'lt matches earlier names, not the same one',
    filter: 'userName lt "bob"',
    finds: ['ann'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`le` on text matches what comes earlier in lexicographic order, and the same.',
    test: 'le matches earlier names and the same one',
    filter: 'userName le "bob"',
    finds: ['ann', 'bob'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`and` matches when both expressions do.',
    test: 'and matches users who match both sides',
    filter: 'title ew "Guide" and userType eq "Contractor"',
    finds: ['bob'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`or` matches when either expression does.',
    test: 'or matches users who match either side',
    filter: 'userName eq "cleo" or userType eq "Contractor"',
    finds: ['bob', 'cleo'],
  }),
  coveredByFinding({
    ...everyAsk,
    text: '`not` matches when the expression does not.',
    test: 'not matches users who do not match the expression in parentheses',
    filter: 'not (title co "Tour")',
    finds: ['bob', 'cleo'],
  }),
  ...(['gt', 'ge', 'lt', 'le'] as const).map((operator) =>
    coveredByRejection({
      ...everyAsk,
      text: `\`${operator}\` on a boolean or binary attribute is rejected with 400 and \`invalidFilter\`.`,
      test: `${operator} is rejected for active and for certificates`,
      filters: [`active ${operator} true`, `x509Certificates.value ${operator} "MIID"`],
    }),
  ),
]
