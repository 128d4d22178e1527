/** A name and its ASCII form for email addresses. */
export interface Name {
  readonly text: string
  readonly ascii: string
}

/** Given and family names of one language area. Every combination is fictional. */
export interface NamePool {
  readonly given: readonly Name[]
  readonly family: readonly Name[]
}

/** Parses `Zoë:zoe`, a name with its ASCII form, or `Maya`, whose ASCII form is the name in lower case. */
function names(list: string): Name[] {
  return list.split(' ').map((entry) => {
    const [text = '', ascii = text.toLowerCase()] = entry.split(':')
    return { text, ascii }
  })
}

/** Plain, accented, Japanese, with apostrophes, plain, Cyrillic and Greek names. */
export const namePools: readonly NamePool[] = [
  {
    given: names('Maya Ingrid Oskar Freya Tomas Lena Anders Hanna Erik Clara Jonas Ida'),
    family: names('Lindqvist Weber Nyberg Falk Brandt Holm Vestergaard Lang Eklund Kessler Dahl Fischer'),
  },
  {
    given: names(
      'Zoë:zoe René:rene Chloé:chloe Iñigo:inigo Šárka:sarka Łukasz:lukasz Çağla:cagla André:andre Jürgen:jurgen Þóra:thora Mónica:monica Øyvind:oyvind',
    ),
    family: names(
      'Peña:pena Lefèvre:lefevre Dvořák:dvorak Özdemir:ozdemir Müller:muller Gonçalves:goncalves Wiśniewski:wisniewski Ibáñez:ibanez Ångström:angstrom Béranger:beranger Žukauskas:zukauskas Håkansson:hakansson',
    ),
  },
  {
    given: names(
      '健二:kenji 陽菜:hina 翔太:shota 美咲:misaki 大輔:daisuke 結衣:yui 直樹:naoki 彩香:ayaka 拓海:takumi 真央:mao 悠斗:yuto 千夏:chinatsu',
    ),
    family: names(
      '佐藤:sato 田中:tanaka 渡辺:watanabe 小林:kobayashi 加藤:kato 山田:yamada 松本:matsumoto 井上:inoue 清水:shimizu 森:mori 池田:ikeda 橋本:hashimoto',
    ),
  },
  {
    given: names('Sean Aoife Ciaran Niamh Luca Giulia Marco Chiara Awa Fatou Moussa Siobhan'),
    family: names("O'Hara O'Neill O'Keeffe O'Dowd D'Angelo D'Amico Dell'Orto Dall'Asta N'Diaye N'Dour M'Baye O'Malley"),
  },
  {
    given: names('Priya Amara Diego Noor Omar Lucia Yusuf Thandi Arjun Camila Kwame Leila'),
    family: names('Nair Okoye Ramos Haddad Diallo Vargas Karaca Dlamini Mehta Rojas Mensah Farouk'),
  },
  {
    given: names(
      'Олена:olena Тарас:taras Соломія:solomiia Андрій:andrii Ірина:iryna Богдан:bohdan Юрій:yurii Марта:marta Остап:ostap Дарина:daryna',
    ),
    family: names(
      'Шевчук:shevchuk Коваль:koval Мельник:melnyk Бондар:bondar Лисенко:lysenko Гайдай:haidai Ткачук:tkachuk Мороз:moroz Кравець:kravets Сокіл:sokil',
    ),
  },
  {
    given: names(
      'Ελένη:eleni Νίκος:nikos Σοφία:sofia Γιώργος:giorgos Μαρία:maria Πέτρος:petros Άννα:anna Κώστας:kostas Ειρήνη:eirini Στέλιος:stelios',
    ),
    family: names(
      'Παππά:pappa Κωστή:kosti Λαμπρή:lampri Μαύρου:mavrou Ζαχαρία:zacharia Γεωργίου:georgiou Νικολάου:nikolaou Δήμου:dimou Ραζή:razi Βασιλείου:vasileiou',
    ),
  },
]

export const departments = ['Research', 'Procurement', 'Field Operations', 'People', 'Finance', 'Security', 'Support']

export const titles = ['Analyst', 'Buyer', 'Engineer', 'Coordinator', 'Planner', 'Designer', 'Auditor']

/** Team names, some with characters that must be escaped in a filter or a URL. */
export const teamNames = [
  'Field Ops',
  'Équipe Réseau',
  'People & Culture',
  'Buyers EMEA',
  'Lab Safety',
  '開発チーム',
  'Payroll',
  'R&D 50% Crew',
  'Warehouse North',
  "Founders' Circle",
  'Support (24/7)',
  'Продажі',
  'Security Guild',
  'On-call: Platform',
  'Design + Brand',
  'Finance "Close" Team',
]
