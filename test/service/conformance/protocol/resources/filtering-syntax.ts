import assert from 'node:assert/strict'
import type { Requirement } from '../../requirement.ts'
import { queryOf } from './support/list.ts'
import { coveredByFinding, coveredByRejection } from './support/people.ts'

/** RFC 7644 §3.4.2.2: the syntax of filters. */
export const filterSyntaxRequirements: readonly Requirement[] = [
  coveredByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    text: 'Only resources that match the filter are returned.',
    test: 'a filter on a title matches the one user who has it',
    filter: 'title eq "Tour Guide"',
    finds: ['ann'],
  }),
  coveredByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    text: 'Attribute names are case-insensitive.',
    test: 'USERNAME and Name.FAMILYNAME are resolved',
    filter: 'USERNAME eq "ann" or Name.FAMILYNAME eq "Barker"',
    finds: ['ann', 'bob'],
  }),
  coveredByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    text: 'Operators are case-insensitive.',
    test: 'Eq, PR, AND and Not are accepted',
    filter: 'Not (userName Eq "cleo") AND title PR',
    finds: ['ann', 'bob'],
  }),
  coveredByRejection({
    section: '3.4.2.2',
    level: 'MUST',
    text: 'A filter without an expression is rejected.',
    test: 'an empty filter is rejected, not ignored',
    filters: ['', ' '],
  }),
  coveredByRejection({
    section: '3.4.2.2',
    level: 'MUST',
    text: 'Every expression consists of an attribute, an operator and its value.',
    test: 'an expression without an attribute, an operator or a value is rejected',
    filters: ['eq "ann"', '"ann" eq userName', 'userName', 'userName "ann"', 'userName eq', 'pr'],
  }),
  coveredByRejection({
    section: '3.4.2.2',
    level: 'MUST',
    text: 'A filter must follow the grammar.',
    test: 'incomplete filters, and filters with a missing bracket or operand, are rejected',
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
  coveredByRejection({
    section: '3.4.2.2',
    level: 'MUST',
    text: 'The value of a comparison is a JSON string, a number, true, false or null.',
    test: 'an unquoted word, single quotes and an escape unknown to JSON are rejected',
    filters: ['userName eq ann', "userName eq 'ann'", 'userName eq "\\x61nn"', 'userName eq {}', 'userName eq ["ann"]'],
  }),
  coveredByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    text: 'Escapes in the value of a comparison are those of JSON.',
    test: 'a letter can be written as a JSON escape',
    filter: 'userName eq "\\u0061nn"',
    finds: ['ann'],
  }),
  coveredByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    text: 'Parentheses group expressions and are evaluated first.',
    test: 'an expression in parentheses is evaluated before the one around it',
    filter: '(userName eq "bob" or userName eq "ann") and title eq "Tour Guide"',
    finds: ['ann'],
  }),
  coveredByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    text: 'Without parentheses, `and` binds more tightly than `or`.',
    test: 'a filter with or and and is evaluated with and first',
    filter: 'userName eq "bob" or userName eq "ann" and title eq "Nobody"',
    finds: ['bob'],
  }),
  coveredByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    text: '`not` binds more tightly than `and` and `or`.',
    test: 'not applies only to the parentheses after it',
    filter: 'not (userName eq "ann") and title pr or userName eq "cleo"',
    finds: ['bob', 'cleo'],
  }),
  coveredByRejection({
    section: '3.4.2.2',
    level: 'MUST',
    text: 'An unknown operator is rejected with 400 `invalidFilter`; the filter is not ignored.',
    test: 'the operators regex, like and = are rejected',
    filters: ['userName regex "a.*"', 'userName like "a"', 'userName = "ann"', 'title pr xor userName eq "ann"'],
  }),
  {
    section: '3.4.2.2',
    level: 'SHOULD',
    text: 'The error for an unknown operator names it.',
    coveredBy: {
      test: 'the detail of the error names the operator',
      async run(provider) {
        const { body } = await provider.send('GET', `/Users${queryOf({ filter: 'userName regex "a.*"' })}`)
        assert.match(body.detail, /regex/)
      },
    },
  },
  {
    ...coveredByFinding({
      section: '3.4.2.2',
      level: 'MUST',
      text: 'Nothing follows the brackets of a value path.',
      test: 'a sub-attribute after the brackets is compared in the same value',
      filter: 'emails[type eq "work"].value eq "ann@example.com"',
      finds: ['ann'],
      strict: 'such a filter is rejected',
    }),
    deviation: {
      text: 'A comparison after the brackets is read as one within them, as Entra ID sends it.',
      endedBy: 'scim_profile: "strict"',
    },
  },
]
