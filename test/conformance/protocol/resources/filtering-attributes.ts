import type { Requirement } from '../../requirement.ts'
import { shownByFinding, shownByRefusing } from './support/people.ts'
import { enterpriseUrn, userUrn } from './support/urns.ts'

/** RFC 7644 §3.4.2.2: multi-valued and complex attributes, value paths, and letter case. */
export const filterAttributeRequirements: readonly Requirement[] = [
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks:
      'Of a multi-valued attribute, one value that matches is enough. We depart from this with `ne`, which is the ' +
      'opposite of `eq` here as well: no value may be the same.',
    test: 'a user is found by the second e-mail address',
    filter: 'emails.value eq "archer@example.org"',
    finds: ['ann'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Conditions in square brackets have to be met by one and the same value of the attribute.',
    test: 'a home address at example.org does not make a work address there',
    filter: 'emails[type eq "work" and value ew "@example.org"]',
    finds: ['bob'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Conditions outside of brackets may be met by different values.',
    test: 'a work address and an address at example.org may be two',
    filter: 'emails.type eq "work" and emails.value ew "@example.org"',
    finds: ['ann', 'bob'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Square brackets take what a filter may hold: `and`, `or`, `not` and parentheses.',
    test: 'or, not and parentheses work between brackets',
    filter: 'emails[not (type eq "work") and (value sw "archer" or value sw "ann")]',
    finds: ['ann'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Square brackets and other expressions can be joined.',
    test: 'a value path may stand beside and, or and not',
    filter: 'not (emails[primary eq true]) and userName pr and (title pr or emails[type pr])',
    finds: ['bob'],
  }),
  shownByRefusing({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Between square brackets only sub-attributes of the attribute before them may be named.',
    test: 'a title between the brackets of emails, brackets in brackets, and brackets with nothing in them are refused',
    filters: ['emails[title eq "Guide"]', 'emails[emails[type eq "work"]]', 'emails[]', 'emails[work]'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'A part of a complex attribute is named with a dot.',
    test: 'name.givenName looks at the given name',
    filter: 'name.givenName eq "Ann"',
    finds: ['ann'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'An attribute may be named with the URN of its schema.',
    test: 'a core attribute, one of an extension and a sub-attribute are found by their full names',
    filter: `${userUrn}:name.givenName eq "Ann" and ${enterpriseUrn}:department eq "Tours"`,
    finds: ['ann'],
  }),
  shownByRefusing({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Of a complex attribute without a value of its own, a comparison has to name the part.',
    test: 'a comparison of name or addresses is refused',
    filters: ['name eq "Ann"', 'addresses co "Street"'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Text is compared in any letter case if the schema of the attribute does not say otherwise.',
    test: 'userName, a title and the value of an e-mail address are found in other letter case',
    filter: 'userName eq "ANN" and title co "TOUR g" and emails.value sw "Ann@Example"',
    finds: ['ann'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Text is compared exactly if the schema says that its letter case counts.',
    test: 'of two externalIds that differ in case one is found',
    filter: 'externalId eq "badge-1"',
    finds: ['bob'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'The letter case of an exact attribute counts for parts of it, too.',
    test: 'of two externalIds that begin differently in case one is found',
    filter: 'externalId sw "Bad"',
    finds: ['ann'],
  }),
  shownByFinding({
    section: '3.4.2.2',
    level: 'MUST',
    asks: 'Resources can be found by the schemas that they have.',
    test: 'users with the enterprise extension are found by its URN',
    filter: `schemas eq "${enterpriseUrn}"`,
    finds: ['ann'],
  }),
]
