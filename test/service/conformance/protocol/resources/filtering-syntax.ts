import assert from 'node:assert/strict'
import type { Requirement } from '../../requirement.ts'
import { queryOf } from './support/list.ts'
import { shownByFinding, shownByRefusing } from './support/people.ts'

/** RFC 7644 §3.4.2.2: what a filter does, and how it is written. */
export const filterSyntaxRequirements: readonly Requirement[] = [
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Only resources that fulfil the filter are returned.',
    test: 'a filter on the title finds the one user who has it',
    filter: 'title eq "Tour Guide"',
    finds: ['ann'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Names of attributes may be written in any letter case.',
    test: 'USERNAME and Name.FAMILYNAME are found',
    filter: 'USERNAME eq "ann" or Name.FAMILYNAME eq "Barker"',
    finds: ['ann', 'bob'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Operators may be written in any letter case.',
    test: 'Eq, PR, AND and Not are understood',
    filter: 'Not (userName Eq "cleo") AND title PR',
    finds: ['ann', 'bob'],
  }),
  shownByRefusing({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'A filter without an expression is refused.',
    test: 'an empty filter is refused rather than taken for none',
    filters: ['', ' '],
  }),
  shownByRefusing({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Every expression begins with an attribute, and an operator and its value follow.',
    test: 'an expression without an attribute, an operator or a value is refused',
    filters: ['eq "ann"', '"ann" eq userName', 'userName', 'userName "ann"', 'userName eq', 'pr'],
  }),
  shownByRefusing({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'A filter has to follow the grammar.',
    test: 'filters with an open end, a missing bracket or a missing operand are refused',
    filters: [
      'userName eq "ann',
      '(userName eq "ann"',
      'userName eq "ann")',
      'emails[type eq "work"',
      'userName eq "ann" and',
      'or userName eq "ann"',
      'userName eq "ann" userName eq "bob"',
      'not userName eq "ann"',
      'userName. eq "ann"',
    ],
  }),
  shownByRefusing({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'The value of a comparison is a JSON string, a number, true, false or null.',
    test: 'a bare word, apostrophes and an escape that JSON does not have are refused',
    filters: ['userName eq ann', "userName eq 'ann'", 'userName eq "\\x61nn"', 'userName eq {}', 'userName eq ["ann"]'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Escapes in the value of a comparison are those of JSON.',
    test: 'a letter may be written as the escape that JSON has for it',
    filter: 'userName eq "\\u0061nn"',
    finds: ['ann'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Parentheses group expressions and are evaluated first.',
    test: 'what is in parentheses is evaluated before what is around them',
    filter: '(userName eq "bob" or userName eq "ann") and title eq "Tour Guide"',
    finds: ['ann'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Without parentheses, `and` binds more tightly than `or`.',
    test: 'or joins what and has joined before',
    filter: 'userName eq "bob" or userName eq "ann" and title eq "Nobody"',
    finds: ['bob'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: '`not` binds more tightly than `and` and `or`.',
    test: 'not concerns only the parentheses behind it',
    filter: 'not (userName eq "ann") and title pr or userName eq "cleo"',
    finds: ['bob', 'cleo'],
  }),
  shownByRefusing({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'An operator that is not known is refused with 400 and `invalidFilter`; the filter is not passed over.',
    test: 'the operators regex, like and = are refused',
    filters: ['userName regex "a.*"', 'userName like "a"', 'userName = "ann"', 'title pr xor userName eq "ann"'],
  }),
  {
    section: '3.4.2.2',
    level: 'SHOULD',
    asks: 'The refusal of an operator tells people which one was not understood.',
    shownBy: {
      test: 'the detail of the refusal names the operator',
      async run(provider) {
        const { body } = await provider.send('GET', `/Users${queryOf({ filter: 'userName regex "a.*"' })}`)
        assert.match(body.detail, /regex/)
      },
    },
  },
]
