import type { PortalTexts } from './texts.ts'

/** The portal in Japanese. */
export const ja: PortalTexts = {
  title: (product) => `ディレクトリを ${product} に接続する`,
  lead: (product) =>
    `接続すると、ユーザーとグループが自動的に ${product} に送信されます。新しいメンバーはアクセスできるようになり、離れたメンバーはアクセスできなくなります。`,
  validUntil: (date) => `このリンクの有効期限は ${date} です。`,
  loading: '読み込み中…',
  retry: '再試行',
  failed: '読み込めませんでした。',
  offline: 'オフラインです。表示されている内容は最新でない可能性があります。',
  waiting: '応答を待っています…',
  unreachable: 'サービスに接続できません。再試行しています…',
  back: (product) => `${product} に戻る`,
  toSetup: '設定に戻る',
  notices: {
    'link-gone': {
      title: 'このリンクは使用できません',
      text: '有効期限が切れているか、取り消されたか、使用済みか、リンクが不完全です。送信者に新しいリンクを依頼してください。',
    },
    'google-connected': {
      title: 'Google Workspace に接続しました',
      text: 'ユーザーとグループの最初の同期が始まりました。このページを閉じてもかまいません。',
    },
    'google-pending': {
      title: '承認を待っています',
      text: '使用したアカウントを、想定されている Google Workspace と照合できませんでした。リンクの送信者が承認するまで、何も変更されません。',
    },
    'google-denied': {
      title: 'アクセスが許可されませんでした',
      text: '管理者アカウントでやり直し、Google のページでアクセスを許可してください。組織でアプリが制限されている場合は、先に Google 管理コンソールの「API の制御」でこのアプリを信頼してください。',
    },
    'google-failed': {
      title: 'Google Workspace に接続できませんでした',
      text: '何も変更されていません。Google のページですべての権限を選択したまま、やり直してください。解決しない場合は、次の理由をリンクの送信者に伝えてください。',
    },
  },
  switchLanguage: '言語',
  switchScheme: { light: 'ライト表示にする', dark: 'ダーク表示にする' },
  copy: (label) => `${label}をコピー`,
  copyShort: 'コピー',
  copied: 'コピーしました',
  requestId: (id) => `リクエスト ${id}`,
  choose: {
    heading: 'どの ID プロバイダーを使用していますか?',
    other: 'SCIM 2.0 対応のその他のプロバイダー',
    change: '別のプロバイダーを選択',
    changeText:
      '現在表示されている URL とトークンは使えなくなります。変更できるのは、最初のユーザーが届くまでの間だけです。',
    cancel: 'キャンセル',
    none: 'このリンクではまだ ID プロバイダーを接続できません。リンクの送信者にお問い合わせください。',
  },
  values: {
    heading: 'コピーする値',
    endpoint: 'ベース URL',
    secret: 'トークン',
    shownOnce: '今すぐトークンをコピーしてください。このタブを閉じるまでの間だけ表示されます。',
    done: 'トークンを保管しました',
    hidden: (ending) =>
      `トークンは作成時に表示されました(末尾は「${ending}」です)。手元にない場合は、新しく作成してください。`,
    rotate: '新しいトークンを作成',
    rotateTitle: '新しいトークンを作成しますか?',
    rotateText: '作成後、新しいトークンを ID プロバイダーに入力してください。',
    keepOld: '現在のトークンは 1 日間有効のままにする',
    stopOld: '現在のトークンをすぐに無効にする',
  },
  signIn: {
    heading: 'Entra ID の認証方法',
    ways: {
      token: { name: 'トークン', about: '交換するまで、すべてのリクエストと一緒に送信されるトークンです。' },
      secret: {
        name: 'クライアント資格情報 (OAuth 2.0)',
        about: '期限のあるシークレットを、数時間有効なアクセス トークンと交換します。',
      },
      federated: {
        name: 'ワークロード ID フェデレーション',
        about: 'シークレットは不要です。Entra ID が自身の署名で証明します。推奨される方法です。',
      },
    },
    onlyOAuth: 'この接続では、トークンは使用できなくなりました。',
    create: 'クライアント資格情報を作成',
    createAnother: '別のクライアント資格情報を作成',
    noSecret: 'まずクライアント資格情報を作成してください。シークレットは一度だけ表示されます。',
    shownOnce: '今すぐクライアント シークレットをコピーしてください。このタブを閉じるまでの間だけ表示されます。',
    done: 'クライアント シークレットを保管しました',
    hidden:
      'クライアント シークレットは作成時に表示されました。手元にない場合は、別のクライアント資格情報を作成してください。',
    paste: 'Entra ID の値',
    pasteText: '下の手順のとおりに Entra ID でワークロード ID を選択し、表示された 4 つの値を貼り付けてください。',
    connect: '値を保存',
    connectAnother: '別のワークロード ID の値を貼り付ける',
    problems: {
      issuer:
        '発行者は、お使いの Entra テナントの ID を含む https://login.microsoftonline.com/‹テナント ID›/v2.0 でなければなりません。',
      jwks_url:
        'JWKS URL は、同じテナントの https://login.microsoftonline.com/‹テナント ID›/discovery/v2.0/keys でなければなりません。',
      subject: 'サブジェクトは、00000000-0000-0000-0000-000000000000 のようなオブジェクト ID でなければなりません。',
      audience: '対象ユーザーは、api://‹アプリケーション ID›/.default またはアプリケーション ID でなければなりません。',
    },
    clients: 'この接続の資格情報',
    expires: (date) => `有効期限: ${date}`,
    expired: (date) => `期限切れ: ${date}`,
    used: (when) => `最終使用: ${when}`,
    unused: '未使用',
    remove: (clientId) => `資格情報 ${clientId} を削除`,
    removeShort: '削除',
    removeTitle: 'この資格情報を削除しますか?',
    removeText:
      'アクセスはすぐに終了します。Entra ID がまだ使用している場合、別の資格情報を入力するまでプロビジョニングは停止します。',
  },
  steps: {
    heading: '手順',
    variants: {
      standard: 'アプリケーション',
      'private-app': '独自のアプリケーション',
      'catalog-app': 'カタログから追加',
    },
    console: (provider) => `${provider} の管理コンソールを開く`,
    help: 'プロバイダーの公式手順',
    drawing: (title) => `フォーム「${title}」の図と入力する項目`,
    turnOn: 'オン',
    turnOff: 'オフ',
    toCopy: 'このページにコピー',
    testEmail: 'どのユーザーも使っていないアドレス',
    clickPath: 'クリックする場所',
    texts: {
      createApp: () => '管理コンソールで、ユーザー用のアプリケーションを作成します。',
      addCatalogApp: (product) => `カタログで ${product} を検索して追加します。`,
      enableScim: () => 'アプリケーションの SCIM プロビジョニングを有効にします。',
      enterConnection: () => 'URL とトークンを入力し、接続をテストします。',
      saveConnection: () => 'テストが成功したら保存します。',
      enableActions: () => 'ユーザーの作成、更新、無効化を許可します。',
      checkMappings: () => '下の属性が送信されることを確認します。',
      assign: () => 'アクセスが必要なユーザーまたはグループを割り当てます。送信されるのは割り当てたものだけです。',
      oktaLicense: () =>
        'プロビジョニングには Okta Lifecycle Management が必要です。下のアプリ設定に SCIM が表示されない場合は、ご契約のプランに含まれていません。Okta の担当者にお問い合わせください。',
      oktaCreate: (product) =>
        `SAML 2.0 でアプリケーションを作成します(OpenID Connect では Okta の SCIM を使えません)。すでに SAML で ${product} にサインインしている場合は、そのアプリケーションを使い、SCIM を有効にする手順から続けてください。`,
      oktaGeneral: () => 'アプリケーションに名前を付けます。プロビジョニング専用の場合は、アイコンを非表示にします。',
      oktaSaml: () =>
        'Okta では先にシングル サインオンの設定を求められます。プロビジョニングだけが必要な場合は、両方の欄にベース URL を入力します。これでサインインする人はいません。',
      oktaFinish: () => '最後のページはフィードバックだけです。完了してください。',
      oktaSave: () => 'テストが成功したら保存します。次の手順の設定は、保存後に初めて表示されます。',
      oktaPushGroups: () =>
        'メンバーと一緒に表示するグループを選択します。メンバーも割り当ててください。送信されるのは割り当てたユーザーだけです。',
      entraCreate: () => 'Microsoft Entra 管理センターで、ギャラリー以外のアプリケーションを作成します。',
      entraClientCredentials: () =>
        'アドレス、トークン エンドポイント、クライアント資格情報を入力し、接続をテストします。',
      entraWorkloadIdentity: () =>
        'ワークロード ID フェデレーションを選び、ワークロード ID を選択します。表示された 4 つの値を上のフォームにコピーして保存します。',
      entraFederation: () => 'クライアント識別子、トークン エンドポイント、アドレスを入力し、接続をテストします。',
      entraConfiguration: () => 'テストが成功したら構成を作成します。',
      entraAssign: () =>
        'アクセスが必要なユーザーまたはグループを割り当てます。送信されるのは割り当てたものだけで、グループでは直接のメンバーだけです。グループの割り当てには Microsoft Entra ID P1 が必要です。',
      entraStart: () =>
        'プロビジョニングを開始します。初回は最大 40 分かかることがあります。その後の変更はより早く届きます。',
      oneloginProvisioning: () =>
        'プロビジョニングを有効にし、承認をオフにします。オンのままでは、変更のたびに管理者の承認待ちになります。',
      oneloginGroups: () => 'ユーザーと一緒にグループも送信するようにします。',
      oneloginRules: () =>
        'ユーザーのグループを決めるルールを追加します。たとえば、ロールごとに 1 つのグループにします。',
      oneloginReapply: () => 'すでに割り当てられているユーザーにもルールを適用します。',
      jumpcloudConnection: () =>
        'URL、トークン、およびどのユーザーも使っていないメール アドレスを入力します。JumpCloud がそのアドレスでテスト ユーザーを作成します。',
      jumpcloudActivate: () =>
        'テストが成功したら接続を有効にします。テスト ユーザーとテスト グループが作成され、その後削除されます。',
      jumpcloudGroups: () => 'グループを送信する場合はオンにして、保存します。',
      createRule: () => '送信するユーザーとグループを決めるルールを作成し、有効にします。',
      ripplingInstall: () => '統合をインストールし、トークンを入力します。',
      roleMappings: () => 'メンバーを送信するロールを追加します。',
      startSync: () => '最初の同期を開始します。',
      googleAdministrator: () =>
        'すべてのユーザーとグループを閲覧できる管理者アカウント(Google Workspace の特権管理者など)が必要です。',
      googleAllow: (product) =>
        `組織のデータにアクセスできるアプリが制限されている場合は、先に Google 管理コンソールで ${product} を許可します。`,
      googleConsent: () =>
        '下のボタンから接続します。Google からユーザーとグループの閲覧権限を求められます。変更されることはありません。すべて許可してください。',
      googleFirstSync: () =>
        'Google Workspace に接続すると、最初の同期がすぐに始まります。大きなディレクトリでは数分かかります。',
      genericConnection: () => 'ID プロバイダーの SCIM 設定に URL とトークンを入力します。',
      genericMappings: () => '少なくとも userName と active を送信します。下のその他の属性は任意です。',
      genericActions: () => 'ユーザーの作成、更新、無効化と、グループの送信を有効にします。',
      genericAssign: () => 'アクセスが必要なユーザーまたはグループを割り当てます。',
    },
    labels: {
      'Enterprise apps': 'エンタープライズ アプリ',
      'New application': '新しいアプリケーション',
      'Create your own application': '独自のアプリケーションの作成',
      Create: '作成',
      Provisioning: 'プロビジョニング',
      'New configuration': '新しい構成',
      'Tenant URL': 'テナントの URL',
      'Secret token': 'シークレット トークン',
      'Token endpoint': 'トークン エンドポイント',
      'Client identifier': 'クライアント識別子',
      'Client secret': 'クライアント シークレット',
      'Test connection': 'テスト接続',
      'Attribute mapping': '属性マッピング',
      'Users and groups': 'ユーザーとグループ',
      'Add user/group': 'ユーザーまたはグループの追加',
      Assign: '割り当て',
      Overview: '概要',
      'Start provisioning': 'プロビジョニングの開始',
    },
  },
  google: {
    connect: 'Google Workspace に接続',
    reconnect: '再接続',
    connected: 'Google Workspace に接続しています。',
    again: (reason) => `Google Workspace に再接続する必要があります: ${reason}`,
    pending: (reason) => `${reason} リンクの送信者による承認が必要です。`,
    notConfigured: (product) =>
      `${product} ではまだ、このページから Google Workspace に接続できません。リンクの送信者にお問い合わせください。`,
    repeats: '同期は自動的に繰り返されます。',
    notScheduled: (product) => `同期は自動的には繰り返されません。${product} が開始します。`,
    scope:
      'ここでグループまたは組織部門を選択しない限り、Google Workspace の全員が同期されます。入れ子のグループのメンバーと下位の組織部門も含まれます。',
    groups: 'グループ(アドレスまたは ID)',
    units: '組織部門(パス)',
    saveScope: '選択を保存',
  },
  attributes: {
    heading: '属性マッピング',
    source: 'プロバイダー側のソース',
    attribute: 'SCIM 属性',
    meaning: '意味',
    required: '必須',
    automatic: '自動的に設定',
    meanings: {
      userName: 'ユーザーを識別する名前(通常はメール アドレス)',
      'name.givenName': '名',
      'name.familyName': '姓',
      'emails[type eq "work"].value': 'メール アドレス(ない場合は userName を使用)',
      active: 'ユーザーがアクセスできるかどうか',
      displayName: '氏名',
      externalId: 'ID プロバイダーでのユーザーの ID',
      title: '役職',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': '部署',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber': '従業員番号',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager': '上司',
    },
  },
  health: {
    heading: '届いた内容',
    complete: 'すべて正常に動作しています。このページを閉じてもかまいません。同じリンクで接続の状態を確認できます。',
    progress: (done, all) => `${all} 件中 ${done} 件を確認`,
    states: {
      waiting: '最初のリクエストを待っています',
      healthy: '正常',
      attention: '確認が必要',
      failing: '動作していません',
    },
    lastSync: (when) => `最後の同期: ${when}`,
    syncFailed: (when) => `最後の同期に失敗しました（${when}）。続く場合は、リンクの送信者にお問い合わせください。`,
    waitingForSync: '最初の同期を待っています',
    lastRequest: (when) => `ID プロバイダーからの最後のリクエスト: ${when}`,
    never: 'ID プロバイダーからはまだ何も届いていません。',
    deactivated: 'この接続はオフになっています。リンクの送信者にお問い合わせください。',
    seen: (when) => `${when}に確認`,
    missing: '未確認',
    alsoSeen: 'その他に確認した内容',
    signedIn: {
      name: '認証済み',
      hint: 'ID プロバイダーに値を入力し、テスト ボタンを使ってください。',
    },
    behaviors: {
      connection_tested: {
        name: '接続のテスト',
        hint: 'ID プロバイダーのテスト ボタンを使用してください。',
      },
      user_created: { name: 'ユーザーの作成', hint: 'アプリケーションにユーザーを 1 人割り当ててください。' },
      user_updated: { name: 'ユーザーの更新', hint: '割り当てたユーザーの名前または役職を変更してください。' },
      user_deactivated: { name: 'ユーザーの無効化', hint: 'テスト ユーザーの割り当てを解除してください。' },
      user_reactivated: { name: 'ユーザーの再有効化', hint: 'テスト ユーザーを再び割り当ててください。' },
      user_deleted: {
        name: 'ユーザーの削除',
        hint: 'ユーザーを削除しないプロバイダーもありますが、問題ありません。',
      },
      group_pushed: { name: 'グループの送信', hint: 'グループを使う場合は、1 つ送信してください。' },
      member_added: {
        name: 'グループへのメンバー追加',
        hint: '送信しているグループに、割り当てたユーザーを追加してください。',
      },
      member_removed: {
        name: 'グループからのメンバー削除',
        hint: '送信しているグループからユーザーを外してください。',
      },
    },
    readHints: {
      user_created: 'ユーザーは最初の同期で表示されます。',
      user_updated: 'ユーザーの名前または役職を変更してください。次の同期で読み取られます。',
      user_deactivated: 'テスト ユーザーを停止してください。次の同期で読み取られます。',
      group_pushed: 'グループは最初の同期で表示されます。',
    },
  },
  roles: {
    heading: 'ロール',
    lead: (product) =>
      `各グループのメンバーが ${product} で持つロールを選択します。ロールは直接のメンバーにのみ付与されます。`,
    jump: 'グループのロール',
    waiting: '最初の同期の後、グループがここに表示されます。',
    search: 'グループを検索',
    notFound: 'この名前のグループはありません。',
    more: 'さらにグループを表示',
    members: (count) => `メンバー ${count.toLocaleString('ja')} 人`,
    none: 'ロールなし',
    roleOf: (group) => `${group} のロール`,
    fixed: (product) => `このロールは ${product} が設定したため、このリンクでは変更できません。`,
    preview: '変更の内容',
    gain: (count, role, people) => `${count.toLocaleString('ja')} 人が「${role}」を取得します: ${people}。`,
    lose: (count, role, people) => `${count.toLocaleString('ja')} 人が「${role}」を失います: ${people}。`,
    others: (count) => `ほか ${count.toLocaleString('ja')} 人`,
    nobodyInGroup: 'このグループにはまだ誰もいません。今後追加された人には、その時点からロールが付与されます。',
    nobodyChanges: '現時点でロールが変わる人はいません。',
    tooFew: (role, product) =>
      `変更後は「${role}」を持つ人が ${product} の求める人数を下回ります。その場合、${product} 側で誰かがこの変更を承認するまで、${product} はディレクトリのその後の変更を受け取りません。`,
    apply: '適用',
    running: (done, all) =>
      `ロールを変更しています: ${all.toLocaleString('ja')} 人中 ${done.toLocaleString('ja')} 人を確認済み`,
    done: (count) =>
      count === 0
        ? '完了しました。ロールの変更が必要な人はいませんでした。'
        : `完了しました。${count.toLocaleString('ja')} 人のロールが変わりました。`,
  },
  refused: {
    heading: '最後に拒否されたリクエスト',
    about: (subject) => `対象: ${subject}`,
    unauthorized: (when) =>
      `ID プロバイダーが誤ったトークンを使用しました(最後は ${when})。新しいトークンを作成し、プロバイダーに入力してください。`,
    notSignedIn: (when) => `ID プロバイダーが認証できませんでした(最終: ${when})。両側の値を比べてください。理由:`,
    outsideDomain:
      'このユーザーのメールアドレスは、製品が貴社から受け入れるドメインのものではありません。受け入れるドメインは詳細に記載されています。そのいずれかのアドレスを使用してください。別のドメインも貴社のものである場合は、このリンクの送信者に追加を依頼してください。',
    reasons: {
      uniqueness:
        'この名前のユーザーはすでに存在します。どちらかに別の userName を付けるか、もう一方をアプリケーションから外してください。',
      invalidValue: '許可されていない値の属性があります。属性マッピングを確認してください。',
      invalidSyntax: 'リクエストが有効な SCIM ではありません。ID プロバイダーで SCIM 2.0 を選択してください。',
      invalidPath: '存在しない名前にマッピングされた属性があります。属性マッピングを確認してください。',
      invalidFilter:
        'プロバイダーの検索方法はサポートされていません。userName でユーザーを照合するようにしてください。',
      noTarget: '存在しない値が変更されようとしています。ユーザー全体を再送信してください。',
      mutability: 'ID など、変更できないものが変更されようとしています。属性マッピングを確認してください。',
      tooMany: '一度に要求される量が多すぎます。userName でユーザーを照合するようにしてください。',
    },
    statuses: {
      403: 'この接続はオフになっています。リンクの送信者にお問い合わせください。',
      404: 'ここに存在しないユーザーまたはグループが変更されようとしています。すべてのユーザーを再送信してください。',
      409: 'すでに存在します。どちらかに別の名前を付けてください。',
      412: '古いバージョンが変更されようとしました。プロバイダーが自動的に再試行します。',
      413: 'リクエストが大きすぎます。大きなグループは分割して送信してください。',
      429: 'リクエストの送信が速すぎます。プロバイダーが自動的に再試行します。',
    },
    other: 'プロバイダーのリクエストを処理できませんでした。再試行の時刻はプロバイダーのログで確認できます。',
    settle: '解決済みとして非表示にする',
    detail: 'プロバイダーへの応答',
  },
}
