import assert from 'node:assert/strict'
import type { Requirement } from '../../requirement.ts'
import { queryOf } from './support/list.ts'
import { shownByFinding, shownByRefusing } from './support/people.ts'

/** RFC 7644 §3.4.2.2: what a filter does, and how it is written. */
export const filterSyntaxRequirements: readonly Requirement[] = [
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Only resources that match the filter are returned.',
    test: 'a filter on the title finds the one user who has it',
    filter: 'title eq "Tour Guide"',
    finds: ['ann'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Attribute names are case-insensitive.',
    test: 'USERNAME and Name.FAMILYNAME are found',
    filter: 'USERNAME eq "ann" or Name.FAMILYNAME eq "Barker"',
    finds: ['ann', 'bob'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Operators are case-insensitive.',
    test: 'Eq, PR, AND and Not are understood',
    filter: 'Not (userName Eq "cleo") AND title PR',
    finds: ['ann', 'bob'],
  }),
  shownByRefusing({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'A filter without an expression is rejected.',
    test: 'an empty filter is rejected, not ignored',
    filters: ['', ' '],
  }),
  shownByRefusing({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Every expression begins with an attribute, and an operator and its value follow.',
    test: 'an expression without an attribute, an operator or a value is rejected',
    filters: ['eq "ann"', '"ann" eq userName', 'userName', 'userName "ann"', 'userName eq', 'pr'],
  }),
  shownByRefusing({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'A filter must follow the grammar.',
    test: 'filters with an open end, a missing bracket or a missing operand are rejected',
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
    test: 'a bare word, apostrophes and an escape that JSON does not have are rejected',
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
    test: 'not applies only to the parentheses after it',
    filter: 'not (userName eq "ann") and title pr or userName eq "cleo"',
    finds: ['bob', 'cleo'],
  }),
  shownByRefusing({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'An unknown operator is rejected with 400 `invalidFilter`; the filter is not ignored.',
    test: 'the operators regex, like and = are rejected',
    filters: ['userName regex "a.*"', 'userName like "a"', 'userName = "ann"', 'title pr xor userName eq "ann"'],
  }),
  {
    section: '3.4.2.2',
    level: 'SHOULD',
    asks: 'The error for an unknown operator names it.',
    shownBy: {
      test: 'the detail of the error names the operator',
      async run(provider) {
        const { body } = await provider.send('GET', `/Users${queryOf({ filter: 'userName regex "a.*"' })}`)
        assert.match(body.detail, /regex/)
      },
    },
  },
]
