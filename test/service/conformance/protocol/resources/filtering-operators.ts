import type { Requirement } from '../../requirement.ts'
import { shownByFinding, shownByRefusing } from './support/people.ts'

const everyAsk = { section: '3.4.2.2', level: 'MUST' } as const

/** RFC 7644 §3.4.2.2: what each operator means for text. */
export const filterOperatorRequirements: readonly Requirement[] = [
  shownByFinding({
    ...everyAsk,
    asks: '`eq` matches only equal values.',
    test: 'eq does not match a part of a title',
    filter: 'title eq "Guide"',
    finds: ['bob'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`ne` matches values that differ and resources without the attribute.',
    test: 'ne finds who has another title, and who has none',
    filter: 'title ne "Guide"',
    finds: ['ann', 'cleo'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`co` matches when the whole value is somewhere in the attribute.',
    test: 'co finds a part in the middle and at the end, not words that are apart',
    filter: 'title co "r Gui" or userType co "actor"',
    finds: ['ann', 'bob'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`co` has no wildcards.',
    test: 'co with a percent sign, an underscore or an asterisk matches only these characters',
    filter: 'title co "T%r" or title co "T_ur" or title co "T*"',
    finds: [],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`sw` matches when the attribute begins with the whole value.',
    test: 'sw finds a beginning and not a later part',
    filter: 'title sw "Gui"',
    finds: ['bob'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`sw` matches text that is the value and nothing more.',
    test: 'sw finds the whole text as its own beginning',
    filter: 'title sw "Tour Guide"',
    finds: ['ann'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`ew` matches when the attribute ends with the whole value.',
    test: 'ew finds an end and not an earlier part',
    filter: 'userType ew "tor" or userType ew "Empl"',
    finds: ['bob'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`ew` matches text that is the value and nothing more.',
    test: 'ew finds the whole text as its own end',
    filter: 'title ew "Tour Guide"',
    finds: ['ann'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`pr` matches an attribute that has a value.',
    test: 'pr finds who has a title',
    filter: 'title pr',
    finds: ['ann', 'bob'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`pr` matches a complex attribute of which any part has a value.',
    test: 'pr finds who has a name, or an address, with something in it',
    filter: 'name pr or addresses pr',
    finds: ['ann', 'bob'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`pr` matches false.',
    test: 'pr finds the inactive user as well as the active ones',
    filter: 'active pr',
    finds: ['ann', 'bob', 'cleo'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`gt` on text matches what comes later in lexicographic order.',
    test: 'gt finds the later names and not the same one',
    filter: 'userName gt "bob"',
    finds: ['cleo'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`ge` on text matches what comes later in lexicographic order, and the same.',
    test: 'ge finds the later names and the same one',
    filter: 'userName ge "bob"',
    finds: ['bob', 'cleo'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`lt` on text matches what comes earlier in lexicographic order.',
    test: 'lt finds the earlier names and not the same one',
    filter: 'userName lt "bob"',
    finds: ['ann'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`le` on text matches what comes earlier in lexicographic order, and the same.',
    test: 'le finds the earlier names and the same one',
    filter: 'userName le "bob"',
    finds: ['ann', 'bob'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`and` matches when both expressions do.',
    test: 'and finds who matches both sides',
    filter: 'title ew "Guide" and userType eq "Contractor"',
    finds: ['bob'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`or` matches when either expression does.',
    test: 'or finds who matches one side or the other',
    filter: 'userName eq "cleo" or userType eq "Contractor"',
    finds: ['bob', 'cleo'],
  }),
  shownByFinding({
    ...everyAsk,
    asks: '`not` matches when the expression does not.',
    test: 'not finds who does not match what is in the parentheses',
    filter: 'not (title co "Tour")',
    finds: ['bob', 'cleo'],
  }),
  ...(['gt', 'ge', 'lt', 'le'] as const).map((operator) =>
    shownByRefusing({
      ...everyAsk,
      asks: `\`${operator}\` on a boolean or binary attribute is rejected with 400 and \`invalidFilter\`.`,
      test: `${operator} is rejected for active and for certificates`,
      filters: [`active ${operator} true`, `x509Certificates.value ${operator} "MIID"`],
    }),
  ),
]
