import { plural } from './plural.ts'

const count = (n: number) => n.toLocaleString('en')

/** The texts of the page that links users to accounts, in English. They are loaded with it, as the first page has no place for them. */
export const adoptionTexts = {
  title: 'Accounts of your product',
  text: 'Your product may already have accounts for these people. Send a list of them to see who would be linked to which account, so that your product updates these accounts instead of creating new ones.',
  format:
    'Each line of the file is an account like this one, or the file is a JSON array of them. Only the id of the account is required; a user is found by the external id, else by the user name, else by the email address. Nothing is linked before you have seen the plan.',
  example: 'example of an account',
  choose: 'Choose a file',
  noFile: 'No file is chosen.',
  file: (name: string, bytes: number) =>
    `${name}, ${bytes < 999_500 ? `${count(Math.ceil(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`}`,
  send: 'Send the list',
  refused: 'The list was not accepted: nothing of it was kept',
  item: (n: number) => `Account ${count(n)} of the list:`,
  notAList: 'The file is not a list of at most 200,000 accounts.',
  notAnAccount: 'This is not an account as in the example. Compare the two, then send the file again.',
  fieldProblems: {
    account_id:
      'The id of the account is missing, has more than 255 characters, or is in the list twice. Correct it, then send the file again.',
    external_id: 'The external id cannot be used: it is too long, or too many accounts have it. Leave it out there.',
    user_name: 'The user name cannot be used: it is too long, or too many accounts have it. Leave it out there.',
    email: 'The email address cannot be used: it is too long, or too many accounts have it. Leave it out there.',
  } as Readonly<Record<string, string>>,
  terminal: 'Or send it from a terminal, which also shows the plan:',
  command: 'command',
  another: 'Another list',
  anotherText: 'It replaces this one. Send it after you have corrected accounts, or added some.',
  sent: (accounts: number) => `${plural(accounts, 'account')}, sent`,
  kinds: {
    link: 'To link',
    conflict: 'Conflicts',
    create: 'Users without an account',
    unmatched: 'Accounts without a user',
    linked: 'Linked already',
  },
  kindTexts: {
    link: 'These users match an account. You decide whether they are linked to it.',
    conflict: 'Nobody here is linked until it is clear who has which account.',
    create: 'No account in the list matches these users. Your product creates one when it is notified of them.',
    unmatched: 'These accounts match nobody in the directory. They stay as they are.',
    linked: 'These users are linked to an account in the list.',
  },
  none: 'None',
  user: 'User',
  account: 'Account',
  why: { link: 'Found by', conflict: 'Problem' },
  matches: { external_id: 'External id', user_name: 'User name', email: 'Email address' },
  conflicts: {
    'several-users': {
      title: 'Several users match this account',
      advice: 'Open the user it belongs to and link it there, or add the external id of that user to the list.',
    },
    'several-accounts': {
      title: 'Several accounts match this user',
      advice: 'Open the user and link the right account there, or leave the others out of the list.',
    },
    'user-linked': {
      title: 'This user is linked to another account',
      advice: 'Open the user and change the account if the one in the list is right.',
    },
    'account-linked': {
      title: 'This account is linked to another user',
      advice: 'Open the user who has it, and end that link if it is wrong.',
    },
  },
  apply: (n: number) => `Link ${plural(n, 'user')}`,
  conflictsStay: (n: number) =>
    `${plural(n, 'conflict is', 'conflicts are')} not linked. You can link these users on their pages later.`,
  othersStay: (n: number) => `${plural(n, 'user stays', 'users stay')} without an account.`,
  thenSent: 'The held events are then sent, with the accounts of the users.',
  notNotified: 'Your product is not notified of the links. Later events about these users carry their accounts.',
  forgotten: 'The list is forgotten. You can still change or end a link on the page of the user.',
  changed: 'The plan has changed, and nobody was linked',
  changedText: 'Since you looked, users were changed or another list was sent. This is the new plan.',
  applying: (done: number, of: number) =>
    `${count(done)} of ${plural(of, 'user')} linked. This goes on when you leave the page.`,
  done: (n: number) => `${plural(n, 'user is', 'users are')} linked`,
  doneText: 'The list was forgotten. Events that were held for this are sent now.',
  held: 'The first events of this directory are held',
  heldText: 'They wait until users are linked to the accounts of your product. To send them without that:',
  release: 'Release without linking',
  forget: 'Forget the list',
  forgetText: 'The plan is gone then. Users who are linked stay linked.',
  staysHeld: 'Held events stay held until you send another list and link users, or release them.',
}
