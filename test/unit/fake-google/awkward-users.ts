import type { NewFakeUser } from '../../../tools/fake-google/model/changes.ts'
import type { FakeUser } from '../../../tools/fake-google/model/items.ts'
import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'

type Profile = Omit<NewFakeUser, 'primaryEmail'>

const manager = (value: string): Profile => ({ relations: [{ value, type: 'manager' }] })

/** Adds the users of the edge cases; returns their ids by case. */
export function addAwkwardUsers(model: WorkspaceModel, domain: string, secondDomain: string) {
  const add = (localPart: string, name: string, profile: Profile = {}) =>
    addUser(model, `${localPart}@${domain}`, name, profile)
  const plain = add('nora.blake', 'Nora Blake')
  return {
    plain: plain.id,
    neverLoggedIn: add('new.hire', 'Nils Hire', { hasLoggedIn: false }).id,
    suspended: add('sue.spence', 'Sue Spence', { suspended: true }).id,
    archived: add('archie.veld', 'Archie Veld', { archived: true }).id,
    suspendedAndArchived: add('gone.long', 'Gone Long', { suspended: true, archived: true }).id,
    administrator: add('ada.root', 'Ada Root', { isAdmin: true, orgUnitPath: '/IT/Operations' }).id,
    renamed: model.renameUser(add('before.wedding', 'Rhea Marsh').id, `after.wedding@${domain}`).id,
    withFormerAddress: givenFormerAddress(model, domain).id,
    rehired: rehired(model, `back.again@${domain}`).id,
    noGivenName: add('mononym', ' Mononym').id,
    noName: add('no.name', '').id,
    namesakes: [add('jo.smith', 'Jo Smith').id, add('jo.smith2', 'Jo Smith').id],
    nonAscii: add('zoe.pena', 'Zoë Peña-Łukasz 健二 👩‍💻').id,
    apostrophe: add("liam.o'neil", "Liam O'Neil").id,
    tagged: add('pat+test', 'Pat Tag').id,
    aliases: add('many.names', 'Many Names', { aliases: [`m.names@${domain}`, `names@${secondDomain}`] }).id,
    otherEmails: add('home.bird', 'Home Bird', { otherEmails: otherEmails(domain) }).id,
    fullProfile: add('full.house', 'Full House', { ...fullProfile, ...manager(plain.primaryEmail) }).id,
    noPrimaryOrganization: add('two.jobs', 'Two Jobs', { organizations: twoOrganizations }).id,
    managerUnknown: add('lost.report', 'Lost Report', manager('nobody@elsewhere.example')).id,
    managerByAlias: add('alias.report', 'Alias Report', manager(`m.names@${domain}`)).id,
    ownManager: add('self.made', 'Self Made', manager(`self.made@${domain}`)).id,
    managersOfEachOther: [
      add('you.first', 'You First', manager(`after.you@${domain}`)).id,
      add('after.you', 'After You', manager(`you.first@${domain}`)).id,
    ],
    ofSecondDomain: addUser(model, `sub.sidney@${secondDomain}`, 'Sub Sidney', {}).id,
    inNoGroup: add('lone.wolf', 'Lone Wolf').id,
  }
}

function addUser(model: WorkspaceModel, primaryEmail: string, name: string, profile: Profile): FakeUser {
  const [givenName = '', ...familyNames] = name.split(' ')
  return model.addUser({ primaryEmail, givenName, familyName: familyNames.join(' '), ...profile })
}

/** A user with the former address of another user who was renamed. */
function givenFormerAddress(model: WorkspaceModel, domain: string): FakeUser {
  const address = `reception@${domain}`
  const former = addUser(model, address, 'First Reception', {})
  model.renameUser(former.id, `promoted@${domain}`, { dropOld: true })
  return addUser(model, address, 'Second Reception', {})
}

/** A user with the address of a deleted one. */
function rehired(model: WorkspaceModel, address: string): FakeUser {
  model.deleteUser(addUser(model, address, 'Back Again', {}).id)
  return addUser(model, address, 'Back Again', {})
}

/** Some repeat the primary address; all forms of types occur. */
function otherEmails(domain: string): NonNullable<Profile['otherEmails']> {
  return [
    { address: 'home.bird@home.example', type: 'home' },
    { address: `Home.Bird@${domain}`, type: 'work' },
    { address: 'bird@club.example', type: 'custom', customType: 'Club' },
    { address: 'bird@plain.example' },
  ]
}

const twoOrganizations = [
  { title: 'Baker', department: 'Bread', customType: '' },
  { title: 'Candlestick maker', department: 'Candles', customType: '' },
]

const fullProfile: Profile = {
  orgUnitPath: '/Press',
  organizations: [
    { title: 'Reader', department: 'Archive' },
    { name: 'The Press', title: 'Editor', department: 'Press', costCenter: 'CC1', primary: true, customType: '' },
  ],
  externalIds: [
    { value: 'login-7', type: 'login_id' },
    { value: 'E-77', type: 'organization' },
  ],
  phones: [
    { value: '+1 555 0100', type: 'work' },
    { value: '+1 555 0101', type: 'custom', customType: 'Boat' },
  ],
  addresses: [
    { type: 'work', formatted: '1 Main St' },
    { type: 'home', streetAddress: '2 Side St', locality: 'Springfield', postalCode: '12345', countryCode: 'US' },
  ],
  languages: [{ languageCode: 'en', preference: 'preferred' }],
}
